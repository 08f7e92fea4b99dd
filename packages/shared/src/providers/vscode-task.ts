import { createTemplateProvider } from './subprocess-template.ts'

/** A worker that VS Code starts; its command hands the prompt over and waits for the result file. */
export const vscodeTask = createTemplateProvider({
  name: 'vscode-task',
  title: 'VS Code task',
  inProcess: 'never',
})
