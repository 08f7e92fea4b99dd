import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { ExitCode } from '../core/index.ts'
import { defineCommand } from './define-command.ts'
import { parseArguments } from './parse-arguments.ts'

const command = defineCommand({
  name: 'any',
  summary: 'Takes anything',
  flags: z.object({
    someText: z.string().optional().describe('text'),
    count: z.number().optional().describe('number'),
    isOn: z.boolean().optional().describe('boolean'),
    many: z.array(z.string()).optional().describe('list'),
  }),
  args: z.object({
    first: z.string().optional().describe('first'),
    rest: z.array(z.string()).optional().describe('rest'),
  }),
  run: async () => ExitCode.Done,
})

const text = fc.string({ minLength: 1, unit: 'binary' })
const input = fc.record(
  {
    someText: text,
    count: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    isOn: fc.boolean(),
    many: fc.array(text, { minLength: 1 }),
    positionals: fc.array(fc.string({ unit: 'binary' })),
  },
  { requiredKeys: ['positionals'] },
)

test('what is written on the command line is what the command gets', () => {
  fc.assert(
    fc.property(input, ({ positionals, ...flags }) => {
      const words = [
        ...(flags.someText === undefined ? [] : [`--some-text=${flags.someText}`]),
        ...(flags.count === undefined ? [] : [`--count=${flags.count}`]),
        ...(flags.isOn === undefined ? [] : [flags.isOn ? '--is-on' : '--no-is-on']),
        ...(flags.many ?? []).map((item) => `--many=${item}`),
        '--',
        ...positionals,
      ]
      const [first, ...rest] = positionals
      expect(parseArguments(command, words).input).toEqual({
        ...flags,
        ...(first === undefined ? {} : { first }),
        ...(rest.length === 0 ? {} : { rest }),
      })
    }),
  )
})
