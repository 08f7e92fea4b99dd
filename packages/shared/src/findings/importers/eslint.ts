import { z } from 'zod'

import type { AffectedFile, FindingDraft } from '../finding.ts'
import { parseLineRange } from '../grounding/lines.ts'
import { createArtifactResolver } from '../sarif/artifacts.ts'
import {
  completeImport,
  type ImportedElement,
  type ImportOptions,
  type ImportResult,
} from './import-outcome.ts'
import { createScrubber } from './scrub.ts'
import { dropQuotes, looksForSecrets } from './secrets.ts'

const MessageSchema = z.looseObject({
  ruleId: z.string().nullish(),
  severity: z.number().nullish(),
  fatal: z.boolean().nullish(),
  message: z.string(),
  line: z.unknown().optional(),
  endLine: z.unknown().optional(),
  fix: z
    .looseObject({ range: z.tuple([z.int(), z.int()]), text: z.string() })
    .nullish()
    .catch(undefined),
})
type EslintMessage = z.infer<typeof MessageSchema>

const FileSchema = z.looseObject({
  filePath: z.string(),
  messages: z.array(z.unknown()),
  suppressedMessages: z.array(z.unknown()).optional().catch(undefined),
  source: z.string().optional().catch(undefined),
})

/** Whether a value looks like the output of `eslint --format json`. */
export function isEslintReport(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every((item) => FileSchema.safeParse(item).success)
}

/** Reads the output of `eslint --format json`; each message is one element, suppressed ones too. */
export function importEslint(files: readonly unknown[], options: ImportOptions): ImportResult {
  const artifacts = createArtifactResolver(options.files, options.root)
  const elements = files.flatMap((raw, index): ImportedElement[] => {
    const file = FileSchema.safeParse(raw).data
    if (file === undefined) {
      return [
        { position: `[${index}]`, kind: 'rejected', reason: 'it is not a file with messages' },
      ]
    }
    const location = artifacts.resolvePath(file.filePath)
    const read = (message: unknown, position: string, isSuppressed: boolean): ImportedElement => {
      const parsed = MessageSchema.safeParse(message).data
      const problem = explainNoFinding(parsed)
      if (parsed === undefined || problem !== undefined) {
        return { position, kind: 'rejected', reason: problem ?? 'it is not a message' }
      }
      const path = location.kind === 'inside' ? location.path : undefined
      const draft = buildDraft(parsed, path, file.source)
      if (isSuppressed) return { position, kind: 'suppressed', draft }
      if (location.kind === 'unlocated') {
        return { position, kind: 'unlocated', draft, reason: location.reason }
      }
      return { position, kind: 'kept', draft }
    }
    return [
      ...file.messages.map((message, at) => read(message, `[${index}].messages[${at}]`, false)),
      ...(file.suppressedMessages ?? []).map((message, at) =>
        read(message, `[${index}].suppressedMessages[${at}]`, true),
      ),
    ]
  })
  const scrub = createScrubber(artifacts.listForeignDirectories([]))
  return completeImport(
    [{ tool: 'eslint', outcome: { kind: 'ran' }, notes: [] }],
    elements.map((element) => scrub(element)),
  )
}

function explainNoFinding(message: EslintMessage | undefined): string | undefined {
  if (message === undefined) return 'it is not a message'
  if (message.fatal === true) return `the file could not be read by eslint: ${message.message}`
  if (!message.ruleId) return `it is about eslint itself: ${message.message}`
  return undefined
}

function buildDraft(
  message: EslintMessage,
  path: string | undefined,
  source: string | undefined,
): FindingDraft {
  const ruleId = message.ruleId ?? 'eslint'
  const range = parseLineRange(message.line, message.endLine)
  const quote = source?.split(/\r?\n/)[(range.line_start ?? 0) - 1]?.trim()
  const places: AffectedFile[] =
    path === undefined ? [] : [{ path, ...range, ...(quote ? { quoted_text: quote } : {}) }]
  const { fix } = message
  return {
    title: message.message.split('\n')[0]?.trim() || ruleId,
    category: ruleId,
    lens: /security|no-eval|no-unsanitized|xss/i.test(ruleId) ? 'security' : 'correctness',
    severity: message.severity === 2 ? 'medium' : 'low',
    confidence: 'medium',
    summary: message.message,
    affected_files: looksForSecrets(undefined, [ruleId]) ? dropQuotes(places) : places,
    source: 'import',
    reporters: ['eslint'],
    rule_id: ruleId,
    ...(fix && path !== undefined
      ? {
          fix: {
            description: `Repair given by ${ruleId}`,
            edits: [{ path, start: fix.range[0], end: fix.range[1], text: fix.text }],
          },
        }
      : {}),
  }
}
