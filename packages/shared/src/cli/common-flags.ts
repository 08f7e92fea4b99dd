import { z } from 'zod'

/** Flags that every command of both tools takes. */
export const CommonFlagsSchema = z.object({
  root: z.string().optional().describe('Directory to work on (default: the repository you are in)'),
  artifactsDir: z
    .string()
    .optional()
    .describe('Where runs are kept (default: .audit-tools/ in the root)'),
  config: z.string().optional().describe("Configuration file, instead of the repository's"),
  json: z.boolean().default(false).describe('Answer in JSON'),
  quiet: z.boolean().default(false).describe('Print the answer and errors only'),
  yes: z.boolean().default(false).describe('Answer yes to every question'),
  color: z.boolean().default(true).describe('Use colours; --no-color turns them off'),
})

export type CommonFlags = Readonly<z.output<typeof CommonFlagsSchema>>
