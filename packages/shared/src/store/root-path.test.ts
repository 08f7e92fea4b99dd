import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix, win32 } from 'node:path'
import { expect, test } from 'vitest'
import { isBelow, resolveAnchor, resolveInsideRoot } from './index.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'paths-')))
const root = join(base, 'root')
mkdirSync(join(root, 'src'), { recursive: true })
mkdirSync(join(root, '..cache'))
mkdirSync(join(base, 'outside'))
writeFileSync(join(root, 'src', 'a.ts'), '')

test.each([
  ['C:\\r', 'D:\\x\\a.ts', win32, false],
  ['C:\\r', 'C:\\R\\a.ts', win32, true],
  ['C:\\r', 'C:\\root2', win32, false],
  ['\\\\server\\share\\r', '\\\\other\\share\\r\\a', win32, false],
  ['/r', '/r/..cache/a.ts', posix, true],
  ['/r', '/r', posix, true],
  ['/r', '/root2', posix, false],
  ['/r', '/', posix, false],
  ['/', '/r', posix, true],
] as const)('below %s, %s', (directory, path, rules, below) => {
  expect(isBelow(directory, path, rules)).toBe(below)
})

test('a path is judged by where it really is, whether it exists or not', () => {
  symlinkSync(join(base, 'outside'), join(root, 'out'))
  symlinkSync(join(base, 'outside', 'later'), join(root, 'dangling'))
  symlinkSync('src', join(root, 'in'))
  symlinkSync('loop', join(root, 'loop'))
  const inside = (path: string, real: string) =>
    expect(resolveInsideRoot(root, path)).toEqual({ kind: 'inside', path: join(root, real) })
  const outside = (path: string) =>
    expect(resolveInsideRoot(root, path)).toEqual({ kind: 'outside' })
  inside('src/a.ts', 'src/a.ts')
  inside('in/a.ts', 'src/a.ts')
  inside('in/new/file.ts', 'src/new/file.ts')
  inside('..cache/x', '..cache/x')
  inside('.', '.')
  inside(join(root, 'src'), 'src')
  outside('..')
  outside('../root2')
  outside('/etc/passwd')
  outside('out')
  outside('out/new')
  outside('dangling')
  outside('loop')
  outside('src/a.ts/below-a-file')
  outside('nul\0byte')
})

test('a root that is itself a link is compared by what it leads to', () => {
  symlinkSync(root, join(base, 'alias'))
  expect(resolveInsideRoot(join(base, 'alias'), 'src/a.ts')).toEqual({
    kind: 'inside',
    path: join(root, 'src', 'a.ts'),
  })
})

test.each([
  ['/r/.audit-tools', '/', '/r'],
  ['/r/.audit-tools/audit/runs/1', '/', '/r'],
  ['/r/.audit-tools/x/.audit-tools/y', '/', '/r'],
  ['/r/src', '/', '/r/src'],
  ['/.audit-tools/x', '/', '/'],
  ['/r/my.audit-tools/x', '/', '/r/my.audit-tools/x'],
  ['C:\\r\\.audit-tools\\audit', '\\', 'C:\\r'],
])(
  'a command that runs in %s means the directory around .audit-tools',
  (directory, separator, anchor) => {
    expect(resolveAnchor(directory, separator)).toBe(anchor)
  },
)
