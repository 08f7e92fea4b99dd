import { resolve } from 'node:path'

import type { CommonFlags } from './common-flags.ts'
import type { CommandContext } from './define-command.ts'
import { createOutput } from './output.ts'
import type { RunCliOptions } from './run-cli.ts'
import { isTerminal } from './terminal.ts'

/** The process as a command sees it, each part replaceable. */
export interface World extends Required<RunCliOptions> {
  readonly signal: AbortSignal
}

export function createContext(world: World, common: CommonFlags): CommandContext {
  const { name, version, cwd, environment, clock, signal } = world
  const resolvePath = (path: string): string => resolve(cwd, path)
  const resolveOptional = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : resolvePath(path)
  return {
    name,
    version,
    cwd,
    environment,
    clock,
    signal,
    resolvePath,
    output: createOutput({ ...world, quiet: common.quiet, color: common.color }),
    interactive: isTerminal(world.stdin) && isTerminal(world.stderr) && !common.json,
    common: {
      ...common,
      root: resolveOptional(common.root),
      artifactsDir: resolveOptional(common.artifactsDir),
      config: resolveOptional(common.config),
    },
  }
}
