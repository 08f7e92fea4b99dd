import { z } from 'zod'

/** Part of every key under which facts are kept: raise it when extraction may say something else. */
export const FACTS_VERSION = 1

const LineSchema = z.int().min(1).describe('1-based line')

const ImportReferenceSchema = z.strictObject({
  specifier: z.string().describe('What the file names, as it is written'),
  line: LineSchema,
  form: z.enum(['import', 'export', 'dynamic', 'require', 'pattern']).describe('How it is named'),
  typeOnly: z.boolean().describe('Only types come over this import'),
})

const SurfaceSchema = z.strictObject({
  kind: z.enum(['http_route', 'cli_command', 'exported_api']).describe('Where input comes in'),
  name: z.string().describe('`GET /users`, a command, or a package export'),
  line: LineSchema,
})

const PackageManifestSchema = z.strictObject({
  name: z.string().nullable(),
  entries: z
    .array(z.strictObject({ field: z.string(), target: z.string() }))
    .describe('Files that the package declares, such as `bin` and `exports`'),
  exports: z.array(z.tuple([z.string(), z.array(z.string())])).describe('Sub-path to its targets'),
  imports: z.array(z.tuple([z.string(), z.array(z.string())])).describe('`#name` to its targets'),
})

const PathAliasesSchema = z.strictObject({
  extends: z.array(z.string()),
  baseUrl: z.string().nullable(),
  paths: z.array(z.tuple([z.string(), z.array(z.string())])).describe('Pattern to its targets'),
})

const FileReferenceSchema = z.strictObject({
  text: z.string().describe('A word that may name a file'),
  line: LineSchema,
  reason: z.string().describe('Where the word stands, such as `Dockerfile ENTRYPOINT`'),
})

/** `level` 0: a top-level symbol starts here; 1: a paragraph does; 2: any line. */
const CutSchema = z.tuple([
  z.int().describe('1-based line that may start a range'),
  z.int().describe('Bytes before that line'),
  z.int().min(0).max(2).describe('How good the cut is, 0 best'),
])

/** What one file says, from its path and content alone: kept by content hash, joined into the graph. */
export const FileFactsSchema = z.strictObject({
  imports: z.array(ImportReferenceSchema),
  surfaces: z.array(SurfaceSchema),
  references: z.array(FileReferenceSchema).optional(),
  manifest: PackageManifestSchema.optional(),
  aliases: PathAliasesSchema.optional(),
  module: z.string().optional().describe('Module path of a go.mod'),
  cuts: z.array(CutSchema).optional().describe('Where a long file may be cut, in order'),
})

export type ImportReference = z.infer<typeof ImportReferenceSchema>
export type FileSurface = z.infer<typeof SurfaceSchema>
export type PackageManifest = z.infer<typeof PackageManifestSchema>
export type PathAliases = z.infer<typeof PathAliasesSchema>
export type FileReference = z.infer<typeof FileReferenceSchema>
export type Cut = z.infer<typeof CutSchema>
export type FileFacts = z.infer<typeof FileFactsSchema>
