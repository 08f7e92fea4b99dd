import type { SessionConfig } from '../config/index.ts'
import type { Source } from '../quota/index.ts'

/** The sections of the session config that say how each agent CLI is started. */
export type AgentSections = Pick<SessionConfig, 'provider' | 'claude_code' | 'codex' | 'opencode'>

const SECTIONS = {
  'claude-code': 'claude_code',
  codex: 'codex',
  opencode: 'opencode',
} as const

type AgentName = keyof typeof SECTIONS

function isAgentName(name: string): name is AgentName {
  return Object.hasOwn(SECTIONS, name)
}

/** An agent CLI that the config chooses by name is a source even when none is listed. */
export function listChosenAgents({ provider }: AgentSections): Source[] {
  return isAgentName(provider) ? [{ provider }] : []
}

/** A source of an agent CLI with what its section says and it does not say itself; any other source as it is. */
export function completeAgentSource(source: Source, sections: AgentSections): Source {
  if (!isAgentName(source.provider)) return source
  const section = sections[SECTIONS[source.provider]]
  const command = source.command ?? (section.command === undefined ? undefined : [section.command])
  const model = source.model ?? section.model
  const parameters = {
    ...(section.extra_args.length === 0 ? {} : { extra_args: section.extra_args }),
    ...(section.bypass_permissions ? { bypass_permissions: true } : {}),
    ...source.parameters,
  }
  return {
    ...source,
    ...(command === undefined ? {} : { command }),
    ...(model === undefined ? {} : { model }),
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
  }
}
