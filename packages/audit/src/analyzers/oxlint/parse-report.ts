import { z } from 'zod'

/** The parts of oxlint's JSON that are used. Offsets are UTF-8 bytes; lines and columns are not read. */
const ReportSchema = z.looseObject({
  diagnostics: z.array(
    z.looseObject({
      message: z.string(),
      /** `eslint(no-dupe-keys)`; absent where a file could not be parsed. */
      code: z.string().optional(),
      help: z.string().optional(),
      filename: z.string(),
      labels: z.array(z.looseObject({ span: z.looseObject({ offset: z.number() }) })),
    }),
  ),
})

/** One remark of oxlint. */
export interface LintRemark {
  /** In the form of oxlint's configuration: `no-dupe-keys`, `oxc/missing-throw`. */
  readonly rule: string
  readonly message: string
  readonly help: string | undefined
  readonly filename: string
  readonly byteOffset: number
}

/** Reads what oxlint printed; undefined when it is not its report. */
export function parseLintReport(text: string): LintRemark[] | undefined {
  const parsed = parseJson(text)
  if (!parsed.success) return undefined
  return parsed.data.diagnostics.flatMap(({ message, code, help, filename, labels }) => {
    const rule = code === undefined ? undefined : readRule(code)
    const offset = labels[0]?.span.offset
    return rule === undefined || offset === undefined
      ? []
      : [{ rule, message, help, filename, byteOffset: offset }]
  })
}

function parseJson(text: string): z.ZodSafeParseResult<z.infer<typeof ReportSchema>> {
  try {
    return ReportSchema.safeParse(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return ReportSchema.safeParse(undefined)
    throw error
  }
}

/** `eslint(no-dupe-keys)` and `oxc(missing-throw)` as the configuration names them. */
function readRule(code: string): string | undefined {
  const match = /^([\w@/-]+)\(([\w-]+)\)$/.exec(code)
  if (match === null) return undefined
  const [, plugin = '', rule = ''] = match
  return plugin === 'eslint'
    ? rule
    : `${plugin.replace(/^@?typescript-eslint$/, 'typescript')}/${rule}`
}
