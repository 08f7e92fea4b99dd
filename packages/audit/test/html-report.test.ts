import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { makeRepository, runAuditCode } from './harness.ts'

/** Debian's Chromium. `.ci/run` installs it; elsewhere the page is tested where there is one. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const withBrowser = test.skipIf(!existsSync(executablePath) && process.env['FULL'] !== '1')

let browser: Browser | undefined
let page: Page

beforeAll(async () => {
  if (!existsSync(executablePath)) return
  const root = makeRepository({
    'index.js': "module.exports = (name) => require('child_process').exec('ls ' + name)\n",
    'lib/eval.js': 'module.exports = function run(code) {\n  return eval(code)\n}\n',
  })
  expect(runAuditCode(['run', '--root', root, '--format', 'html']).code).toBe(0)
  browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  })
  page = await browser.newPage()
  await page.goto(pathToFileURL(join(root, '.audit-tools/audit/audit-report.html')).href)
})

afterAll(async () => {
  await browser?.close()
})

withBrowser('the page shows every finding, and a search narrows them down', async () => {
  const findings = page.locator('.finding')
  expect(await findings.count()).toBeGreaterThanOrEqual(2)
  await page.getByLabel('Search').fill('eval.js')
  const visible = await findings.filter({ visible: true }).allTextContents()
  expect(visible.length).toBeGreaterThan(0)
  expect(visible.every((text) => text.includes('eval.js'))).toBe(true)
  await page.getByLabel('Search').fill('')
})

withBrowser('a finding opens by keyboard alone and shows its code', async () => {
  await page.locator('.finding summary').first().focus()
  await page.keyboard.press('Enter')
  expect(await page.locator('.finding[open] pre').first().isVisible()).toBe(true)
})

withBrowser('the page asks the network for nothing and logs no error', async () => {
  const requests: string[] = []
  const problems: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  await page.reload()
  expect(requests.filter((url) => !url.startsWith('file:'))).toEqual([])
  expect(problems).toEqual([])
})
