import { holdLifeline } from './lifeline.ts'
import { killTreeNow, type ProcessTree } from './kill-tree.ts'

/*
 * Children must not outlive this process. The lifeline sees to it when this process is killed outright. A normal end, an uncaught error and `process.exit` pass through `exit`; a signal
 * that nobody handles would not, so while children live it is caught, the children are killed and the signal sent again.
 */

const guarded = new Set<ProcessTree>()
const fatalSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Kills `tree` should this process end before the returned function is called. */
export function guardTree(tree: ProcessTree): () => void {
  if (guarded.size === 0) startGuarding()
  guarded.add(tree)
  const releaseLifeline = holdLifeline(tree)
  return () => {
    releaseLifeline()
    guarded.delete(tree)
    if (guarded.size === 0) stopGuarding()
  }
}

function startGuarding(): void {
  process.on('exit', killGuarded)
  for (const signal of fatalSignals) process.on(signal, handleSignal)
}

function stopGuarding(): void {
  process.off('exit', killGuarded)
  for (const signal of fatalSignals) process.off(signal, handleSignal)
}

function killGuarded(): void {
  for (const tree of guarded) killTreeNow(tree)
}

function handleSignal(signal: NodeJS.Signals): void {
  // Whoever else listens decides whether this is the end; if it is, `exit` follows.
  if (process.listenerCount(signal) > 1 + countPassiveListeners()) return
  killGuarded()
  stopGuarding()
  process.kill(process.pid, signal)
}

/** Listeners of `signal-exit` (loaded by proper-lockfile): they too step back as soon as someone else listens. */
function countPassiveListeners(): number {
  const emitter: unknown = Reflect.get(process, '__signal_exit_emitter__')
  const count: unknown =
    typeof emitter === 'object' && emitter !== null ? Reflect.get(emitter, 'count') : undefined
  return typeof count === 'number' ? count : 0
}
