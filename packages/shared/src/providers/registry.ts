import { anthropic } from './anthropic.ts'
import { antigravity } from './antigravity.ts'
import { localSubprocess } from './local-subprocess.ts'
import { vscodeTask } from './vscode-task.ts'
import { type AgentCli, createAgentProvider } from './agent-cli.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { opencode } from './opencode.ts'
import { openaiCompatible } from './openai-compatible.ts'
import type { Provider } from './provider.ts'
import { subprocessTemplate } from './subprocess-template.ts'

/** Agent CLIs that this library knows the events of; adding one is a file and a line here. */
export const agentClis: readonly AgentCli[] = [claudeCode, codex, opencode]

/** Every provider that can be launched; adding one is a file and a line here. */
export const providers: readonly Provider[] = [
  openaiCompatible,
  anthropic,
  ...agentClis.map(createAgentProvider),
  subprocessTemplate,
  localSubprocess,
  vscodeTask,
  antigravity,
]

export function findProvider(name: string): Provider | undefined {
  return providers.find((provider) => provider.name === name)
}
