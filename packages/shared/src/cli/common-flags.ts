import { z } from 'zod'

/** Flags that every command of both tools takes. */
export const CommonFlagsSchema = z.object({
  root: z.string().min(1).optional().describe('Directory to work on (default: the one you are in)'),
  artifactsDir: z
    .string()
    .min(1)
    .optional()
    .describe('Where runs are kept (default: below .audit-tools in the root)'),
  config: z
    .string()
    .min(1)
    .optional()
    .describe('Configuration file to use instead of the one in the repository'),
  json: z.boolean().default(false).describe('Answer in JSON'),
  quiet: z.boolean().default(false).describe('Print the answer and errors only'),
  yes: z.boolean().default(false).describe('Answer yes to every question'),
  color: z.boolean().default(true).describe('Print without colours'),
})

/** What they were set to. Paths are absolute. */
export type CommonFlags = Readonly<z.output<typeof CommonFlagsSchema>>
