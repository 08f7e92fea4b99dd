import { openaiCompatible } from './openai-compatible.ts'
import type { Provider } from './provider.ts'
import { subprocessTemplate } from './subprocess-template.ts'

/** Every provider that can be launched; adding one is a file and a line here. */
export const providers: readonly Provider[] = [openaiCompatible, subprocessTemplate]

export function findProvider(name: string): Provider | undefined {
  return providers.find((provider) => provider.name === name)
}
