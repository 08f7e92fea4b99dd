import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { expect, test } from 'vitest'

import { analyseText } from '../testing/analyse-text.ts'
import { secretsAnalyzer } from './index.ts'
import { secretKinds } from './kinds.ts'
import { mayHoldSecret } from '../secret-marks.ts'

/** Text that looks random and is the same in every run; nothing here was ever issued. */
function invent(length: number, alphabet: string, seed = 'secret'): string {
  const digest = createHash('sha512').update(`${seed}${length}`).digest()
  return Array.from({ length }, (_, at) => alphabet[(digest[at % 64] ?? 0) % alphabet.length]).join(
    '',
  )
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const alphanumeric = `0123456789${letters}`
const hex = '0123456789abcdef'

/** GitHub and npm tokens end in a checksum: CRC-32 in base 62, six digits. */
function addChecksum(prefix: string, body: string): string {
  let rest = crc32(body)
  let sum = ''
  for (let digit = 0; digit < 6; digit += 1) {
    sum = (alphanumeric62[rest % 62] ?? '') + sum
    rest = Math.floor(rest / 62)
  }
  return `${prefix}_${body}${sum}`
}
const alphanumeric62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

interface Example {
  readonly path: string
  readonly secret: string
  readonly line: string
}

function example(
  secret: string,
  render = (it: string): string => `key = "${it}"`,
  path = 'src/a.js',
): Example {
  return { path, secret, line: render(secret) }
}

/** Split, so that this file itself holds nothing that looks like a key. */
const openAiMark = ['T3Blbk', 'FJ'].join('')
const keyWords = ['PRIVATE', 'KEY'].join(' ')
const pem = `MII${invent(200, alphanumeric)}`
/** A token of 1Password is JSON in base 64 whose last group is the closing brace alone. */
const serviceAccount = Buffer.from(
  JSON.stringify({ email: 'a@b.lcl', secretKey: invent(120, alphanumeric), iterations: 10 }),
)
const padded = Buffer.concat([
  serviceAccount.subarray(0, -1),
  Buffer.from(' '.repeat((4 - (serviceAccount.length % 3)) % 3)),
  Buffer.from('}'),
]).toString('base64')

/** One example of everything the recommended rules report; each must be reported, or it proves nothing. */
const examples: Readonly<Record<string, Example | undefined>> = {
  AWSSecretAccessKey: example(invent(40, alphanumeric), (it) => `AWS_SECRET_ACCESS_KEY = "${it}"`),
  PrivateKeyJSON: example(
    `-----BEGIN ${keyWords}-----\\n${pem}\\n-----END ${keyWords}-----`,
    (it) =>
      `{ "type": "service_account", "project_id": "a", "private_key_id": "b", "private_key": "${it}", "client_email": "c", "client_id": "1", "auth_uri": "https://a", "token_uri": "https://b", "auth_provider_x509_cert_url": "https://c", "client_x509_cert_url": "https://d" }`,
    'config/service.json',
  ),
  PrivateKey: example(
    pem,
    (it) => `-----BEGIN RSA ${keyWords}-----\n${it}\n-----END RSA ${keyWords}-----`,
  ),
  PackageJSON_xOauthToken: example(
    invent(40, hex),
    (it) => `"a": "git+https://${it}:x-oauth-basic@github.com/a/b.git"`,
    'package.json',
  ),
  Npmrc_authToken: example(
    invent(36, alphanumeric),
    (it) => `//packages.example.org/:_authToken=${it}`,
    '.npmrc',
  ),
  NPM_ACCESS_TOKEN: example(addChecksum('npm', invent(30, alphanumeric))),
  BasicAuth: example(invent(16, alphanumeric), (it) => `https://bob:${it}@intranet.corp/`),
  SLACK_TOKEN: example(`xoxb-${invent(12, '123456789')}-${invent(24, alphanumeric)}`),
  IncomingWebhook: example(
    `T${invent(8, alphanumeric)}/B${invent(8, alphanumeric)}/${invent(24, alphanumeric)}`,
    (it) => `https://hooks.slack.com/services/${it}`,
  ),
  SENDGRID_KEY: example(`SG.${invent(22, letters)}.${invent(43, letters)}`),
  SHOPIFY_KEY: example(`shpat_${invent(32, hex)}`),
  GITHUB_TOKEN: example(addChecksum('ghp', invent(30, alphanumeric))),
  OPENAI_TOKEN: example(
    `sk-${invent(20, alphanumeric)}${openAiMark}${invent(20, alphanumeric, 'b')}`,
  ),
  ANTHROPIC_API_KEY: example(`sk-ant-api03-${invent(93, alphanumeric)}AA`),
  LINEAR_API_TOKEN: example(`lin_api_${invent(40, alphanumeric)}`),
  OPS_TOKEN: example(`ops_${padded}`),
  MongoDBConnection: example(
    invent(20, alphanumeric),
    (it) => `mongodb+srv://bob:${it}@cluster0.corp/db`,
  ),
  MySQLConnection: example(invent(20, alphanumeric), (it) => `mysql://bob:${it}@db.corp/shop`),
  PostgreSQLConnection: example(
    invent(20, alphanumeric),
    (it) => `postgresql://bob:${it}@db.corp/shop`,
  ),
}

/** Not scanned: secretlint looks for account and key ids only on request, and a .p12 file is binary. */
const outOfReach = new Set(['AWSAccountID', 'AWSAccessKeyID', 'PrivateKeyP12', 'IGNORE_MESSAGE'])

const messageIds = rules.flatMap((rule) => Object.keys('messages' in rule ? rule.messages : {}))

test('every message of the recommended rules has an example and a title here', () => {
  const known = messageIds.filter((id) => !outOfReach.has(id))
  expect(Object.keys(examples).toSorted()).toEqual(known.toSorted())
  for (const id of known) expect(secretKinds).toHaveProperty(id)
})

for (const [id, one] of Object.entries(examples)) {
  test(`${id} is reported, passes the prescan, and its value is in no result`, async () => {
    if (one === undefined) throw new Error('no example')
    const isWhole = one.path.endsWith('service.json')
    const text = isWhole ? one.line : `first line\n${one.line}\nlast line\n`
    expect(mayHoldSecret(text)).toBe(true)
    const results = await analyseText(secretsAnalyzer, one.path, text)
    const own = results.filter(({ ruleId }) => ruleId === `secretlint/${id}`)
    expect(own).toHaveLength(1)
    expect(own[0]).toMatchObject({ isRedacted: true, standing: 'finding', cwe: 'CWE-798' })
    expect(own[0]?.lineStart).toBe(isWhole ? 1 : 2)
    for (const part of [one.secret, one.secret.slice(0, 16), one.secret.slice(-12)]) {
      expect(JSON.stringify(results)).not.toContain(part)
    }
  })
}

test('two secrets on one line are both hidden in both quotes', async () => {
  const first = examples['GITHUB_TOKEN']?.secret ?? ''
  const second = examples['SHOPIFY_KEY']?.secret ?? ''
  const results = await analyseText(secretsAnalyzer, 'a.js', `use("${first}", "${second}")\n`)
  expect(results.map(({ quote }) => quote)).toEqual(['use("****", "****")', 'use("****", "****")'])
})

test('a comment in the repository silences nothing', async () => {
  const token = examples['GITHUB_TOKEN']?.secret ?? ''
  const text = `// secretlint-disable\nconst token = '${token}'\n`
  expect(await analyseText(secretsAnalyzer, 'a.js', text)).toHaveLength(1)
})

test('a secret in a test is a lead, and ordinary text costs no scan', async () => {
  const token = examples['GITHUB_TOKEN']?.secret ?? ''
  const [result] = await analyseText(secretsAnalyzer, 'a.test.js', `x('${token}')`, 'test')
  expect(result?.standing).toBe('lead')
  expect(mayHoldSecret('https://example.com:8080/a@b see the token of the user')).toBe(false)
})
