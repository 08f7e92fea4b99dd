import type {
  SarifComponent,
  SarifDescriptorReference,
  SarifMessage,
  SarifResult,
  SarifRule,
  SarifRun,
} from './log.ts'

/** A rule with the component that defines it. */
export interface ResolvedRule {
  readonly id: string | undefined
  readonly rule: SarifRule | undefined
  readonly component: SarifComponent | undefined
}

/** The rule of a result: by index, guid or id, in the driver or an extension; `CA1000/1` falls back to `CA1000`. */
export function resolveRule(result: SarifResult, run: SarifRun): ResolvedRule {
  const reference: SarifDescriptorReference = {
    id: result.rule?.id ?? result.ruleId,
    index: result.rule?.index ?? result.ruleIndex,
    guid: result.rule?.guid,
    toolComponent: result.rule?.toolComponent,
  }
  const named = findComponent(reference, run)
  const components = named === undefined ? listComponents(run) : [named]
  const byIndex = (named ?? components[0])?.rules?.[reference.index ?? -1]
  if (byIndex && agrees(byIndex, reference.id)) {
    return { id: reference.id ?? byIndex.id, rule: byIndex, component: named ?? components[0] }
  }
  for (const component of components) {
    const rule = findRule(component, reference)
    if (rule !== undefined) return { id: reference.id ?? rule.id, rule, component }
  }
  return { id: reference.id, rule: undefined, component: components[0] }
}

function listComponents(run: SarifRun): SarifComponent[] {
  const all = [run.tool?.driver, ...(run.tool?.extensions ?? [])]
  return all.filter((component) => component !== undefined && component !== null)
}

function findComponent(
  { toolComponent }: SarifDescriptorReference,
  run: SarifRun,
): SarifComponent | undefined {
  if (toolComponent === undefined) return undefined
  const { index, guid, name } = toolComponent
  if (index !== undefined && index >= 0) return run.tool?.extensions?.[index] ?? undefined
  return listComponents(run).find((component) =>
    guid === undefined ? name !== undefined && component.name === name : component.guid === guid,
  )
}

/** An index whose rule has another id points into another list. */
function agrees(rule: SarifRule, id: string | undefined): boolean {
  return id === undefined || rule.id === undefined || id === rule.id || id.startsWith(`${rule.id}/`)
}

function findRule(
  component: SarifComponent,
  { id, guid }: SarifDescriptorReference,
): SarifRule | undefined {
  const rules = component.rules ?? []
  if (guid !== undefined) {
    const rule = rules.find((candidate) => candidate?.guid === guid)
    if (rule) return rule
  }
  for (let part = id ?? ''; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf('/')))) {
    const rule = rules.find((candidate) => candidate?.id === part)
    if (rule) return rule
  }
  return undefined
}

/** The text of a message: its own, or the one it names, with the arguments put in and links reduced to their words. */
export function readMessage(message: SarifMessage | undefined, resolved: ResolvedRule): string {
  const id = message?.id
  const strings =
    id === undefined
      ? undefined
      : (resolved.rule?.messageStrings?.[id] ?? resolved.component?.globalMessageStrings?.[id])
  const template = message?.text ?? message?.markdown ?? strings?.text ?? strings?.markdown ?? ''
  const values = message?.arguments ?? []
  return template
    .replaceAll(/\{(\d+)\}|\{\{|\}\}/g, (match, index?: string) => {
      if (index !== undefined) return values[Number(index)] ?? match
      return values.length > 0 || id !== undefined ? match.slice(1) : match
    })
    .replaceAll(/(?<!\\)\[((?:[^\]\\]|\\.){0,500})\]\((?:\d+|[a-z]+:[^)\s]*)\)/g, '$1')
    .replaceAll(/\\([[\]])/g, '$1')
    .trim()
}
