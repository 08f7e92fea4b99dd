import type { SourceModel } from './model.ts'
import { resolveReference } from './references.ts'
import type { CallNode } from './syntax.ts'

/** What these modules return was read from the machine, not made of the arguments. */
const systemModules =
  /^(fs|fs\/promises|fs-extra|graceful-fs|(mz\/)?child_process|os|dns|zlib|readline)$/

export function isSystemCall(model: SourceModel, call: CallNode): boolean {
  const module = resolveReference(model, call.callee)?.module
  return module !== undefined && systemModules.test(module)
}
