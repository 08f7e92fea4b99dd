export type TreePath =
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'outside' }

const DRIVE = /^[A-Za-z]:[\\/]/

/**
 * Reads a path as a reporter writes it as a path of the tree: NFC, `/`, relative to `root`. Nothing on disk is looked
 * at. Whatever leads out of the root, absolute or by `..`, is outside.
 */
export function parseTreePath(text: string, root?: string): TreePath {
  const path = stripRoot(text.trim().normalize('NFC').replaceAll('\\', '/'), root)
  if (path.startsWith('/') || DRIVE.test(path) || path.includes('\0')) return { kind: 'outside' }
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.pop() === undefined) return { kind: 'outside' }
  }
  return { kind: 'inside', path: segments.join('/') }
}

function stripRoot(path: string, root: string | undefined): string {
  if (root === undefined) return path
  const prefix = `${root.normalize('NFC').replaceAll('\\', '/').replace(/\/+$/, '')}/`
  return path.startsWith(prefix) ? path.slice(prefix.length) : path
}
