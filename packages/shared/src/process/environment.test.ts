import { expect, test } from 'vitest'
import { pickEnvironment } from './index.ts'

test('only named variables that are set are passed on', () => {
  const environment = { PATH: '/bin', SECRET: 'x', EMPTY: '', ABSENT: undefined }
  expect(pickEnvironment(environment, ['PATH', 'EMPTY', 'ABSENT', 'OTHER'])).toEqual({
    PATH: '/bin',
    EMPTY: '',
  })
})

test('Windows ignores case in names, other systems do not', () => {
  expect(pickEnvironment({ Path: 'C:\\' }, ['PATH'], 'win32')).toEqual({ Path: 'C:\\' })
  expect(pickEnvironment({ Path: 'C:\\' }, ['PATH'], 'linux')).toEqual({})
})
