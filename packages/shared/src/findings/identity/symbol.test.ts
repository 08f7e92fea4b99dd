import { expect, test } from 'vitest'

import { findEnclosingSymbol } from './symbol.ts'

function find(text: string, marker = '@'): string | undefined {
  const lines = text.split('\n')
  return findEnclosingSymbol(lines, lines.findIndex((line) => line.includes(marker)) + 1)
}

test.each<[string, string, string | undefined]>([
  ['a function', 'function load(a) {\n  if (a) {\n    a@\n  }\n}', 'load'],
  ['a method of a class', 'class Cache {\n  async get(key) {\n    key@\n  }\n}', 'Cache.get'],
  ['an arrow function', 'export const load = async (a) => {\n  a@\n}', 'load'],
  ['parameters over several lines', 'export function load(\n  a,\n  b,\n) {\n  a@\n}', 'load'],
  ['a property', 'module.exports.load = function (a) {\n  a@\n}', 'load'],
  ['Python', 'class Cache:\n    def get(self, key):\n        return key@\n', 'Cache.get'],
  ['Go', 'func (c *Cache) Get(key string) {\n\treturn key@\n}', 'Get'],
  ['Rust', 'impl Cache {\n    pub fn get(&self) -> u8 {\n        self.x@\n    }\n}', 'Cache.get'],
  [
    'Java',
    'public class Cache {\n  public int get(String key) {\n    return 1; // @\n  }\n}',
    'Cache.get',
  ],
  ['C with the brace below', 'int get(char *key)\n{\n  return key@;\n}', 'get'],
  [
    'a test by its title',
    "describe('cache', () => {\n  it('keeps a value', async (t) => {\n    t.pass() // @\n  })\n})",
    'cache.keeps a value',
  ],
  ['a route', "app.get('/users/:id', (request, reply) => {\n  reply.send() // @\n})", '/users/:id'],
  ['the declaration itself', 'function load(a) { // @\n}', 'load'],
  ['top level', 'const a = 1\nconst b = a@\n', undefined],
  ['a neighbour that is closed', 'function one() {\n  a\n}\nrun(@)\n', undefined],
  ['a preprocessor line in between', 'void get() {\n#ifdef X\n  a@\n#endif\n}', 'get'],
])('names what encloses a line: %s', (_, text, symbol) => {
  expect(find(text)).toBe(symbol)
})

test('indenting the whole file keeps the name', () => {
  const text = 'class Cache {\n  get(key) {\n    key@\n  }\n}'
  expect(find(`namespace App {\n${text.replaceAll(/^/gm, '  ')}\n}`)).toBe('App.Cache.get')
})
