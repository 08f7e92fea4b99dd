import { languageRows } from './languages.generated.ts'

export interface Language {
  /** Linguist's name, such as `TypeScript`. */
  readonly name: string
  readonly type: string
}

interface LanguageTable {
  readonly extensions: ReadonlyMap<string, Language>
  readonly filenames: ReadonlyMap<string, Language>
  readonly interpreters: ReadonlyMap<string, Language>
}

let table: LanguageTable | undefined

/**
 * The language of a file by its name, its longest known extension, or the interpreter in its first line; null when
 * none of them says.
 */
export function detectLanguage(filename: string, head: string): Language | null {
  table ??= parseTable(languageRows)
  const { extensions, filenames, interpreters } = table
  const named = filenames.get(filename)
  if (named) return named
  for (const extension of listExtensions(filename)) {
    const language = extensions.get(extension) ?? extensions.get(extension.toLowerCase())
    if (language) return language
  }
  const interpreter = readInterpreter(head)
  return (interpreter !== undefined && interpreters.get(interpreter)) || null
}

/** `a.html.erb` -> `.html.erb`, `.erb`. */
function listExtensions(filename: string): string[] {
  const extensions: string[] = []
  for (let dot = filename.indexOf('.'); dot !== -1; dot = filename.indexOf('.', dot + 1)) {
    extensions.push(filename.slice(dot))
  }
  return extensions
}

/** `#!/usr/bin/env -S node --flag` -> `node`; `#!/bin/python3.11` -> `python3`. */
function readInterpreter(head: string): string | undefined {
  const line = /^#!\s*(\S+)(.*)/.exec(head)
  if (!line) return undefined
  const [, command = '', rest = ''] = line
  let name = command.slice(command.lastIndexOf('/') + 1)
  if (name === 'env') {
    name = rest.split(/\s+/).find((word) => word !== '' && !/^-|=/.test(word)) ?? ''
  }
  return name.replace(/\.\d+$/, '')
}

function parseTable(rows: readonly string[]): LanguageTable {
  const extensions = new Map<string, Language>()
  const filenames = new Map<string, Language>()
  const interpreters = new Map<string, Language>()
  for (const row of rows) {
    const [name = '', type = '', ...keys] = row.split('|')
    const language = { name, type }
    for (const [index, map] of [extensions, filenames, interpreters].entries()) {
      for (const key of keys[index]?.split(',') ?? []) if (key !== '') map.set(key, language)
    }
  }
  return { extensions, filenames, interpreters }
}
