// Two owners share a list of work; one of them meets a limit and learns until when.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ClaimRegistry } from '@audit-tools/shared'
import { classifyFailure } from '@audit-tools/shared/quota'

const path = join(mkdtempSync(join(tmpdir(), 'example-')), 'claims')
const ours = new ClaimRegistry(path, { ownerId: 'ours' })
const theirs = new ClaimRegistry(path, { ownerId: 'theirs' })

const grant = ours.claim('chapter-1', 'pool-a')
if (!grant.acquired) throw new Error('nobody else was there yet')
console.log(`ours got chapter-1 with epoch ${grant.epoch}`)
console.log(`theirs got it too: ${theirs.claim('chapter-1', 'pool-b').acquired}`)
console.log(`the result is ${ours.complete('chapter-1', grant.epoch, 'results/chapter-1.json')}`)

const now = Date.UTC(2026, 0, 1, 12)
const failure = classifyFailure({
  text: "You've hit your session limit · resets 3pm (Europe/Paris)",
  channel: 'error',
  now,
})
console.log(
  `${failure.kind} of the ${failure.scope} until ${new Date(failure.until ?? now).toISOString()}`,
)
