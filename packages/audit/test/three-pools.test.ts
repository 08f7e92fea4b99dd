import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { AuditFindingsReportSchema } from '@audit-tools/shared/findings'
import { expect, test } from 'vitest'

import { makeDirectory, readJson } from './harness.ts'
import { startAuditCode } from './support/start-audit-code.ts'
import { configurePools, expectEveryFaultOnce, makeReviewLoop } from './support/review-loop.ts'

const script = join(dirname(fileURLToPath(import.meta.url)), '../../../scripts/install-clients.mjs')
const { stdout } = await promisify(execFile)(process.execPath, [script])
const installed = JSON.parse(stdout) as {
  readonly binDirectory?: string
  readonly reason?: string
}
if (installed.binDirectory === undefined) {
  console.log(`The real clients are not installed, their test is skipped: ${installed.reason}`)
}

test.skipIf(installed.binDirectory === undefined)(
  'real Claude Code, real Codex and an API review a repository together, each packet once, and are counted right',
  async () => {
    const loop = makeReviewLoop()
    const [claude, codex, api] = [
      await loop.startPool(),
      await loop.startPool(),
      await loop.startPool(),
    ]
    const home = loop.env['HOME'] ?? makeDirectory('home')
    mkdirSync(join(home, '.codex'))
    const settings = [
      'model_provider = "loopback"',
      '[model_providers.loopback]',
      'name = "loopback"',
      `base_url = "${codex.url}"`,
      'wire_api = "responses"',
      'env_key = "CODEX_API_KEY"',
    ]
    writeFileSync(join(home, '.codex', 'config.toml'), settings.join('\n'))
    const quota = { concurrency: 1, context_tokens: 200_000 }
    const config = configurePools(
      [api],
      [
        { id: 'claude', provider: 'claude-code', model: 'm-1', quota },
        { id: 'codex', provider: 'codex', model: 'm-2', quota },
      ],
    )
    const env = {
      ...loop.env,
      PATH: `${installed.binDirectory}:${process.env['PATH'] ?? ''}`,
      ANTHROPIC_BASE_URL: claude.url.replace(/\/v1$/, ''),
      ANTHROPIC_API_KEY: 'sk-ant-dummy',
      CODEX_API_KEY: 'sk-dummy',
    }
    const result = await startAuditCode(['run', '--root', loop.root, '--config', config], { env })
      .result
    expect(result, result.stderr).toMatchObject({ code: 0 })
    expectEveryFaultOnce(loop)

    const report = AuditFindingsReportSchema.parse(
      readJson(join(loop.root, '.audit-tools', 'audit', 'audit-findings.json')),
    )
    const { packets, usage } = report.summary
    expect(packets).toMatchObject({ reviewed: packets.planned, failed: 0, deferred: 0 })
    expect(loop.paid).toHaveLength(packets.planned)
    const counted = { claude, codex, 'api-0': api }
    for (const [pool, server] of Object.entries(counted)) {
      expect(server.calls.length, pool).toBeGreaterThan(0)
      // The server states 100 input tokens for each of its answers.
      expect(usage.find(({ pool_id: id }) => id === pool)).toMatchObject({
        calls: server.calls.length,
        input_tokens: server.calls.length * 100,
      })
    }
  },
)
