import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Script, startScript } from '../store/fixtures/start-script.ts'

function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ')
  } catch {
    return false
  }
}
