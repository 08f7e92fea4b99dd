import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { type ProcessTree, TREE_MARK } from './kill-tree.ts'

/*
 * A process that is killed with SIGKILL, or for want of memory, cannot end its children: agents would go on editing and
 * spending with nobody to listen. So a small shell waits at the other end of a pipe, knows which trees run, and kills
 * those that are left when the pipe breaks. It costs one sleeping process and needs nothing but `sh` and `grep`.
 */
const script = `
trap "" HUP INT TERM
trees=" "
while read -r verb tree; do
  case $verb in
    add) trees="$trees$tree " ;;
    drop) trees="\${trees%% $tree *} \${trees#* $tree }" ;;
  esac
done
exec 2> /dev/null
for tree in $trees; do
  kill -s KILL -- "-\${tree%%:*}"
  for file in $(grep -l -a -F "${TREE_MARK}=\${tree#*:}" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -s KILL "\${pid%/environ}"
  done
done
`

let shell: ChildProcess | undefined

/** Has `tree` killed should this process vanish before the returned function is called. */
export function holdLifeline({ rootPid, mark }: ProcessTree): () => void {
  // Windows has neither process groups nor `sh`.
  if (process.platform === 'win32') return () => undefined
  tell(`add ${rootPid}:${mark}\n`)
  return () => tell(`drop ${rootPid}:${mark}\n`)
}

function tell(message: string): void {
  shell ??= startShell()
  shell.stdin?.write(message)
}

function startShell(): ChildProcess {
  const started = spawn('/bin/sh', ['-c', script], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const forget = (): void => {
    if (shell === started) shell = undefined
  }
  // Without a lifeline children still end with every death but the hardest, so its own failure stops nothing.
  started.on('error', forget)
  started.on('exit', forget)
  started.stdin.on('error', forget)
  started.unref()
  unrefStream(started.stdin)
  return started
}

/** Keeps the open pipe from keeping this process alive. */
function unrefStream(stream: Writable): void {
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
}
