import type { ProviderGrammar } from '../grammar.ts'
import { anthropic } from './anthropic.ts'
import { azure } from './azure.ts'
import { bedrock } from './bedrock.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { dashscope } from './dashscope.ts'
import { deepseek } from './deepseek.ts'
import { gemini } from './gemini.ts'
import { generic } from './generic.ts'
import { groq } from './groq.ts'
import { localised } from './localised.ts'
import { mistral } from './mistral.ts'
import { nvidia } from './nvidia.ts'
import { openaiCompatible } from './openai-compatible.ts'
import { openai } from './openai.ts'
import { opencode } from './opencode.ts'
import { openrouter } from './openrouter.ts'
import { zhipu } from './zhipu.ts'

/** Every provider's grammar, most specific wording first: the order in which an unknown provider's text is read. */
export const providerGrammars: readonly ProviderGrammar[] = [
  dashscope,
  zhipu,
  claudeCode,
  codex,
  copilot,
  gemini,
  bedrock,
  azure,
  openrouter,
  groq,
  mistral,
  nvidia,
  deepseek,
  opencode,
  anthropic,
  openai,
  openaiCompatible,
]

/** Grammars that hold for everybody, tried last. */
export const commonGrammars: readonly ProviderGrammar[] = [generic, localised]
