/**
 * What must stand in a text before any rule of secretlint can report it: the fixed part of each secret, or the shape of
 * a URL with a password. The others cost these scans and nothing more.
 */
const marks: readonly (string | RegExp)[] = [
  'PRIVATE KEY',
  /secret_?access_?key/i,
  'x-oauth-basic@',
  '_authToken=',
  'npm_',
  /\bx(?:ox[abopr]|app)-/,
  /hooks\.slack\.com\/services\//i,
  'SG.',
  /shp(?:pa|ca|at|ss)_/,
  /gh[opsur]_[A-Za-z0-9_]{36}/,
  'github_pat_',
  'T3BlbkFJ',
  'sk-ant-api0',
  'lin_api_',
  'ops_ey',
  /:\/\/[^\s:@/]{1,256}:[^\s@/]{1,256}@/,
]

/** Whether secretlint could find anything in a text. May say yes for nothing, never no for something. */
export function mayHoldSecret(text: string): boolean {
  return marks.some((mark) => (typeof mark === 'string' ? text.includes(mark) : mark.test(text)))
}
