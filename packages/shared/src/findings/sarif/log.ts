import { z } from 'zod'

// SARIF 2.1.0 as tools write it. Everything is optional and what is malformed counts as absent, so that one odd property
// never costs a result. https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html

const text = z.string().optional().catch(undefined)
const whole = z.int().optional().catch(undefined)
const number = z.number().optional().catch(undefined)

function optional<Item extends z.ZodType>(item: Item): z.ZodCatch<z.ZodOptional<Item>> {
  return item.optional().catch(undefined)
}

/** A malformed element becomes null and keeps its place: indexes into the list still hold. */
function optionalList<Item extends z.ZodType>(
  item: Item,
): z.ZodCatch<z.ZodOptional<z.ZodArray<z.ZodCatch<z.ZodNullable<Item>>>>> {
  return z.array(item.nullable().catch(null)).optional().catch(undefined)
}

const PropertiesSchema = z.record(z.string(), z.unknown())

const MessageSchema = z.looseObject({
  text,
  markdown: text,
  id: text,
  arguments: optionalList(z.string()),
})
export type SarifMessage = z.infer<typeof MessageSchema>

const ArtifactLocationSchema = z.looseObject({ uri: text, uriBaseId: text, index: whole })
export type SarifArtifactLocation = z.infer<typeof ArtifactLocationSchema>

const RegionSchema = z.looseObject({
  startLine: z.unknown().optional(),
  endLine: z.unknown().optional(),
  startColumn: whole,
  endColumn: whole,
  charOffset: whole,
  charLength: whole,
  snippet: optional(z.looseObject({ text })),
})
export type SarifRegion = z.infer<typeof RegionSchema>

const LocationSchema = z.looseObject({
  physicalLocation: optional(
    z.looseObject({
      artifactLocation: optional(ArtifactLocationSchema),
      region: optional(RegionSchema),
    }),
  ),
  logicalLocations: optionalList(z.looseObject({ fullyQualifiedName: text, name: text })),
})
export type SarifLocation = z.infer<typeof LocationSchema>

const ComponentReferenceSchema = z.looseObject({ name: text, index: whole, guid: text })

const DescriptorReferenceSchema = z.looseObject({
  id: text,
  index: whole,
  guid: text,
  toolComponent: optional(ComponentReferenceSchema),
})
export type SarifDescriptorReference = z.infer<typeof DescriptorReferenceSchema>

const MultiformatSchema = z.looseObject({ text, markdown: text })

const RuleSchema = z.looseObject({
  id: text,
  guid: text,
  name: text,
  shortDescription: optional(MultiformatSchema),
  fullDescription: optional(MultiformatSchema),
  help: optional(MultiformatSchema),
  messageStrings: optional(z.record(z.string(), MultiformatSchema)),
  defaultConfiguration: optional(z.looseObject({ level: text, rank: number })),
  relationships: optionalList(z.looseObject({ target: optional(DescriptorReferenceSchema) })),
  properties: optional(PropertiesSchema),
})
export type SarifRule = z.infer<typeof RuleSchema>

const ComponentSchema = z.looseObject({
  name: text,
  guid: text,
  version: text,
  semanticVersion: text,
  rules: optionalList(RuleSchema),
  globalMessageStrings: optional(z.record(z.string(), MultiformatSchema)),
})
export type SarifComponent = z.infer<typeof ComponentSchema>

const FixSchema = z.looseObject({
  description: optional(MessageSchema),
  artifactChanges: optionalList(
    z.looseObject({
      artifactLocation: optional(ArtifactLocationSchema),
      replacements: optionalList(
        z.looseObject({
          deletedRegion: optional(RegionSchema),
          insertedContent: optional(z.looseObject({ text })),
        }),
      ),
    }),
  ),
})
export type SarifFix = z.infer<typeof FixSchema>

export const ResultSchema = z.looseObject({
  ruleId: text,
  ruleIndex: whole,
  rule: optional(DescriptorReferenceSchema),
  kind: text,
  level: text,
  rank: number,
  baselineState: text,
  message: optional(MessageSchema),
  locations: optionalList(LocationSchema),
  suppressions: optionalList(z.looseObject({ kind: text, status: text, justification: text })),
  partialFingerprints: optional(PropertiesSchema),
  fingerprints: optional(PropertiesSchema),
  taxa: optionalList(DescriptorReferenceSchema),
  fixes: optionalList(FixSchema),
  properties: optional(PropertiesSchema),
})
export type SarifResult = z.infer<typeof ResultSchema>

const NotificationSchema = z.looseObject({ level: text, message: optional(MessageSchema) })

const InvocationSchema = z.looseObject({
  executionSuccessful: z.boolean().optional().catch(undefined),
  exitCode: whole,
  exitCodeDescription: text,
  exitSignalName: text,
  processStartFailureMessage: text,
  toolExecutionNotifications: optionalList(NotificationSchema),
  toolConfigurationNotifications: optionalList(NotificationSchema),
  workingDirectory: optional(ArtifactLocationSchema),
})
export type SarifInvocation = z.infer<typeof InvocationSchema>

export const RunSchema = z.looseObject({
  tool: optional(
    z.looseObject({
      driver: optional(ComponentSchema),
      extensions: optionalList(ComponentSchema),
    }),
  ),
  // One by one later, so that a bad element is counted and the others go on.
  results: z.unknown().optional(),
  invocations: optionalList(InvocationSchema),
  originalUriBaseIds: optional(z.record(z.string(), ArtifactLocationSchema)),
  artifacts: optionalList(z.looseObject({ location: optional(ArtifactLocationSchema) })),
  columnKind: text,
  externalPropertyFileReferences: optional(PropertiesSchema),
})
export type SarifRun = z.infer<typeof RunSchema>

export const LogSchema = z.looseObject({
  version: text,
  runs: z.array(z.unknown()),
})
