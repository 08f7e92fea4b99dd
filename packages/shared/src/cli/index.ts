export type { CommonFlags } from './common-flags.ts'
export {
  type Command,
  type CommandContext,
  type CommandDefinition,
  type CommandEntry,
  defineCommand,
} from './define-command.ts'
export type { Output, Style } from './output.ts'
export { runCli, type RunCliOptions } from './run-cli.ts'
