import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { ProviderName } from '@audit-tools/shared/config'

import type { Launched } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'

/** What a real client printed in a scenario, and how it ended. */
export interface Recording {
  /** Epoch milliseconds; times in the texts are relative to it. */
  readonly recorded_at: number
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
  /** Null: it did not end by itself. */
  readonly exit_code: number | null
}

export type Recordings = Partial<Record<Scenario, Recording>>

const folder = join(dirname(fileURLToPath(import.meta.url)), 'fixtures')

export function locateRecordings(provider: ProviderName): string {
  return join(folder, `${provider}.json`)
}

export function readRecordings(provider: ProviderName): Recordings {
  const path = locateRecordings(provider)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Recordings) : {}
}

/** With `RECORD_CLIENTS=1` keeps what a client printed as the recording that its look-alike plays. */
export function collectRecordings(
  provider: ProviderName,
): (
  scenario: Scenario,
  launched: Launched & { workplace: { directory: string } },
  at: number,
) => void {
  return (scenario, { outcome, stdout, stderr, workplace }, recordedAt) => {
    if (process.env['RECORD_CLIENTS'] !== '1') return
    const clean = (text: string): string[] =>
      text
        .replaceAll(workplace.directory, '/tmp/client')
        .replaceAll(/(home|repository)-\w{6}/g, '$1')
        .split('\n')
        .filter((line) => line !== '' && !line.includes('"subtype":"init"'))
    const ended = outcome.evidence?.exitCode
    const recording: Recording = {
      recorded_at: recordedAt,
      stdout: clean(stdout),
      stderr: clean(stderr),
      exit_code: outcome.class === 'timeout' ? null : (ended ?? (ended === null ? null : 0)),
    }
    const all = { ...readRecordings(provider), [scenario]: recording }
    writeFileSync(locateRecordings(provider), `${JSON.stringify(all, null, 1)}\n`)
  }
}
