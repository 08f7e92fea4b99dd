import { createTemplateProvider } from './subprocess-template.ts'

/** A worker that Antigravity starts; its command hands the prompt over and waits for the result file. */
export const antigravity = createTemplateProvider({
  name: 'antigravity',
  title: 'Antigravity',
  inProcess: 'never',
})
