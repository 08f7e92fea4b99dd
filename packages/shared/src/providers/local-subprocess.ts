import { createTemplateProvider } from './subprocess-template.ts'

/** A program of this machine that needs no model, such as a fixer. */
export const localSubprocess = createTemplateProvider({
  name: 'local-subprocess',
  title: 'Local program',
  inProcess: 'when_configured',
})
