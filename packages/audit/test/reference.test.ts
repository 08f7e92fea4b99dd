import { expect, test } from 'vitest'

import { errorInfo } from '@audit-tools/shared/core'

import { runAuditCode } from './harness.ts'

const folder = '../../../docs/reference'

/** `npx vitest run --project e2e -u` writes the page again after a change of a command. */
test('the reference page of the command line is what the tool says of itself', async () => {
  const overview = runAuditCode(['--help'])
  expect(overview.code).toBe(0)
  const names = [...overview.stdout.matchAll(/^ {2}audit-code ((?:[a-z-]+ ?)+?) {2,}/gm)].map(
    ([, name = '']) => name,
  )
  expect(names.length).toBeGreaterThan(8)
  const pages = names.map((name) => {
    const help = runAuditCode([...name.split(' '), '--help'])
    expect(help.code).toBe(0)
    return `## ${name}\n\n\`\`\`\n${help.stdout.trim()}\n\`\`\`\n`
  })
  const page = ['# audit-code', '', '```', overview.stdout.trim(), '```', '', ...pages].join('\n')
  await expect(page).toMatchFileSnapshot(`${folder}/audit-code.md`)
})

test('the reference page of exit codes and errors is what the code says', async () => {
  const rows = Object.entries(errorInfo).map(
    ([code, { exitCode, title }]) => `| [${code}](../errors/${code}.md) | ${exitCode} | ${title} |`,
  )
  const page = `# Exit codes

| code | meaning |
| --- | --- |
| 0 | done |
| 1 | done, and the answer is no: findings at \`--fail-on\`, a fix that is not proven |
| 2 | usage or configuration |
| 3 | environment |
| 4 | incomplete, with gaps |
| 10 | in progress |
| 20 | waiting; the output says until when |
| 30 | needs a person |
| 70 | our fault |

| error | exit code | meaning |
| --- | --- | --- |
${rows.join('\n')}
`
  await expect(page).toMatchFileSnapshot(`${folder}/exit-codes.md`)
})
