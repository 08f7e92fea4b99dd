import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

import { expect, test } from 'vitest'

test('the example runs as an outsider would run it', () => {
  const folder = join(import.meta.dirname, '../../../examples/claim-and-classify')
  const output = execFileSync(process.execPath, ['main.mjs'], { cwd: folder, encoding: 'utf8' })
  expect(output.trim().split('\n')).toEqual([
    'ours got chapter-1 with epoch 1',
    'theirs got it too: false',
    'the result is accepted',
    'window of the account until 2026-01-01T14:00:00.000Z',
  ])
})
