import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, sep } from 'node:path'

import type { Analyzer } from '../../packages/audit/src/analyzers/index.ts'
import { readSnapshotText, type Snapshot } from '../../packages/audit/src/snapshot/index.ts'

/** What any of the compared tools says about a line. */
export interface Remark {
  readonly file: string
  readonly lineStart: number
  readonly lineEnd: number
  readonly rule: string
  readonly cwe: string | undefined
}

/** The files one package is judged by; every tool gets the same ones. */
export interface Subject {
  readonly snapshot: Snapshot
  /** Relative paths of the JavaScript and TypeScript files. */
  readonly files: readonly string[]
}

export interface ToolRun {
  readonly tool: string
  readonly version: string
  /** Remarks by subject, in the subjects' order. */
  readonly remarks: readonly (readonly Remark[])[]
  readonly cpuSeconds: number
}

/** Runs our analyzers; `leads` adds what is only a hint for a reviewer. */
export async function runOurs(
  subjects: readonly Subject[],
  analyzers: readonly Analyzer[],
): Promise<{ findings: ToolRun; leads: ToolRun }> {
  const before = readCpuSeconds()
  const findings: Remark[][] = []
  const leads: Remark[][] = []
  for (const { snapshot } of subjects) {
    const own: Remark[] = []
    const hints: Remark[] = []
    for (const analyzer of analyzers) {
      const files = snapshot.files.filter((file) => analyzer.covers(file))
      if (files.length === 0) continue
      const outcome = await analyzer.run({
        root: snapshot.root,
        files,
        readText: (file) => {
          const reading = readSnapshotText(snapshot, file)
          if (reading.kind === 'ok') return reading.text
          throw new Error(`${file.path}: ${reading.kind}`)
        },
        signal: new AbortController().signal,
      })
      if (outcome.kind !== 'ran') throw new Error(`${analyzer.id}: ${JSON.stringify(outcome)}`)
      for (const result of outcome.results) {
        const line = result.lineStart ?? 1
        const remark = {
          file: result.path,
          lineStart: line,
          lineEnd: result.lineEnd ?? line,
          rule: result.ruleId,
          cwe: result.cwe,
        }
        hints.push(remark)
        if (result.standing === 'finding') own.push(remark)
      }
    }
    findings.push(own)
    leads.push(hints)
  }
  const cpuSeconds = readCpuSeconds() - before
  const version = analyzers.map((one) => `${one.id} ${one.version}`).join(', ')
  return {
    findings: { tool: 'audit-code findings', version, remarks: findings, cpuSeconds },
    leads: { tool: 'audit-code findings and leads', version, remarks: leads, cpuSeconds },
  }
}

/** oxlint as it comes, and every rule of it that looks for what an attacker uses. */
const oxlintRules: Readonly<Record<string, string>> = {
  'no-eval': 'CWE-94',
  'no-implied-eval': 'CWE-94',
  'no-new-func': 'CWE-94',
  'no-script-url': 'CWE-94',
  'no-proto': 'CWE-1321',
  'no-extend-native': 'CWE-1321',
}

export function runOxlint(subjects: readonly Subject[], cache: string): ToolRun {
  const require = createRequire(new URL('../../packages/audit/package.json', import.meta.url))
  const folder = join(require.resolve('oxlint/package.json'), '..')
  const config = join(cache, 'oxlint-for-comparison.json')
  const rules = Object.fromEntries(Object.keys(oxlintRules).map((rule) => [rule, 'warn']))
  writeFileSync(config, JSON.stringify({ categories: { correctness: 'warn' }, rules }))
  const args = [
    join(folder, 'bin/oxlint'),
    '-c',
    config,
    '--no-ignore',
    '--disable-nested-config',
    '--format',
    'json',
  ]
  let cpuSeconds = 0
  const remarks = subjects.map(({ snapshot, files }) => {
    const run = runChild([...args, ...files], snapshot.root)
    cpuSeconds += run.cpuSeconds
    const { diagnostics } = JSON.parse(run.stdout) as {
      diagnostics: { code?: string; filename: string; labels: { span: { line: number } }[] }[]
    }
    return diagnostics.map(({ code, filename, labels }) => {
      const rule = /\(([^)]+)\)/.exec(code ?? '')?.[1] ?? code ?? ''
      const line = labels[0]?.span.line ?? 1
      return { file: filename, lineStart: line, lineEnd: line, rule, cwe: oxlintRules[rule] }
    })
  })
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string
  }
  return { tool: 'oxlint, default and security rules', version, remarks, cpuSeconds }
}

export const eslintPackages = [
  'eslint@9.39.1',
  'eslint-plugin-security@3.0.1',
  '@typescript-eslint/parser@8.46.3',
  'typescript@5.9.3',
]

const eslintRules: Readonly<Record<string, string>> = {
  'security/detect-child-process': 'CWE-78',
  'security/detect-eval-with-expression': 'CWE-94',
  'security/detect-new-buffer': 'CWE-665',
  'security/detect-non-literal-fs-filename': 'CWE-22',
  'security/detect-non-literal-regexp': 'CWE-1333',
  'security/detect-non-literal-require': 'CWE-94',
  'security/detect-object-injection': 'CWE-1321',
  'security/detect-unsafe-regex': 'CWE-1333',
}

/** eslint-plugin-security with its recommended rules; scripts and modules are each parsed as what they are. */
export function runEslint(subjects: readonly Subject[], folder: string): ToolRun {
  const config = (sourceType: string): string => {
    const path = join(folder, `eslint.${sourceType}.config.mjs`)
    writeFileSync(
      path,
      `import security from 'eslint-plugin-security'
import parser from '@typescript-eslint/parser'
const languageOptions = { ecmaVersion: 'latest', sourceType: '${sourceType}', parserOptions: { ecmaFeatures: { jsx: true } } }
export default [
  { linterOptions: { reportUnusedDisableDirectives: 'off' } },
  { ...security.configs.recommended, languageOptions, files: ['**/*.{js,cjs,mjs,jsx}'] },
  { ...security.configs.recommended, languageOptions: { parser }, files: ['**/*.{ts,mts,cts,tsx}'] },
]
`,
    )
    return path
  }
  const configs = [config('commonjs'), config('module')]
  let cpuSeconds = 0
  const remarks = subjects.map(({ snapshot, files }) => {
    const found: Remark[] = []
    let open = files
    for (const path of configs) {
      if (open.length === 0) break
      const run = runChild(
        [
          join(folder, 'node_modules/eslint/bin/eslint.js'),
          '-c',
          path,
          '--no-inline-config',
          '--no-ignore',
          '--no-warn-ignored',
          '--format',
          'json',
          ...open,
        ],
        snapshot.root,
      )
      cpuSeconds += run.cpuSeconds
      const reports = JSON.parse(run.stdout) as {
        filePath: string
        messages: { ruleId: string | null; line: number; endLine?: number; fatal?: boolean }[]
      }[]
      const failed: string[] = []
      for (const { filePath, messages } of reports) {
        const file = relative(snapshot.root, filePath).split(sep).join('/')
        if (messages.some(({ fatal }) => fatal)) failed.push(file)
        else
          for (const { ruleId, line } of messages) {
            found.push({
              file,
              lineStart: line,
              lineEnd: line,
              rule: ruleId ?? '',
              cwe: eslintRules[ruleId ?? ''],
            })
          }
      }
      open = failed
    }
    return found
  })
  return {
    tool: 'eslint-plugin-security, recommended',
    version: eslintPackages.slice(0, 2).join(', '),
    remarks,
    cpuSeconds,
  }
}

/** Runs a Node program and reads what it used from the operating system, as far as that is told. */
function runChild(args: readonly string[], cwd: string): { stdout: string; cpuSeconds: number } {
  const before = readCpuSeconds()
  const result = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (result.error) throw result.error
  if (result.stdout === '') throw new Error(`${args[0]} printed nothing: ${result.stderr}`)
  return { stdout: result.stdout, cpuSeconds: readCpuSeconds() - before }
}

/** User and system time of this process and its ended children, from /proc; NaN where there is none. */
function readCpuSeconds(): number {
  if (!existsSync('/proc/self/stat')) return Number.NaN
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return ticks / 100
}
