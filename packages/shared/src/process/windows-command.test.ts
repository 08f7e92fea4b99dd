import { expect, test } from 'vitest'
import { planCommand } from './windows-command.ts'

test('outside Windows, and for real programs on Windows, there is no shell', () => {
  const args = ['a b', '$HOME', '"']
  expect(planCommand('tool.cmd', args, 'linux')).toEqual({
    file: 'tool.cmd',
    args,
    verbatim: false,
  })
  expect(planCommand('tool.exe', args, 'win32')).toEqual({
    file: 'tool.exe',
    args,
    verbatim: false,
  })
})

test('a batch file runs by the Windows shell with every special character made plain', () => {
  const { file, args, verbatim } = planCommand(
    'C:\\my tools\\tool.cmd',
    ['plain', 'a "b" & %PATH%', 'end\\'],
    'win32',
  )
  expect({ file, verbatim }).toEqual({ file: 'cmd.exe', verbatim: true })
  expect(args.slice(0, 4)).toEqual(['/d', '/s', '/v:off', '/c'])
  expect(args[4]).toBe(
    [
      String.raw`"C:\my^ tools\tool.cmd`,
      '^^^"plain^^^"',
      String.raw`^^^"a^^^ \^^^"b\^^^"^^^ ^^^&^^^ ^^^%PATH^^^%^^^"`,
      String.raw`^^^"end\\^^^""`,
    ].join(' '),
  )
})

test('what a batch file cannot take is refused, not changed', () => {
  expect(() => planCommand('tool.bat', ['two\nlines'], 'win32')).toThrow(
    expect.objectContaining({ code: 'EINVAL', message: expect.stringContaining('line break') }),
  )
})
