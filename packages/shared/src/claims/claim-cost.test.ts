import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const isFull = process.env['FULL'] === '1'

// Creating files is many times slower where many were deleted seconds ago, so a first measurement may be useless.
test.runIf(isFull)(
  'a claim costs less than three bare files, and less than twice as much among 10,000 live claims as alone',
  { retry: 4, timeout: 120_000 },
  () => {
    const output = execFileSync(
      process.execPath,
      ['--import', 'tsx', '--conditions=@audit-tools/source', 'bench/claims.ts', '--json'],
      { cwd: fileURLToPath(new URL('../../../../', import.meta.url)), encoding: 'utf8' },
    )
    const figures = JSON.parse(output) as Record<string, number>
    expect(figures['claim_rate_to_bare_files']).toBeGreaterThanOrEqual(1 / 3)
    expect(figures['cost_with_live_claims_to_without']).toBeLessThan(2)
  },
)
