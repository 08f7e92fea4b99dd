import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'

/*
 * A process that is killed with SIGKILL, or for want of memory, cannot end its children: agents would go on editing and
 * spending with nobody to listen. So a small shell waits at the other end of a pipe, knows which groups run, and kills
 * those that are left when the pipe breaks. It costs one sleeping process and needs nothing but `sh`.
 */
const script = `
trap "" HUP INT TERM
groups=" "
while read -r verb group; do
  case $verb in
    add) groups="$groups$group " ;;
    drop) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group"; done 2> /dev/null
`

let shell: ChildProcess | undefined

/** Tells the lifeline that a group runs; it is killed should this process vanish before the returned call. */
export function holdLifeline(groupId: number): () => void {
  // Windows has no process groups; there `taskkill` on a normal end is all there is.
  if (process.platform === 'win32') return () => undefined
  tell(`add ${groupId}\n`)
  return () => tell(`drop ${groupId}\n`)
}

function tell(message: string): void {
  shell ??= startShell()
  shell.stdin?.write(message)
}

function startShell(): ChildProcess {
  const started = spawn('/bin/sh', ['-c', script], {
    cwd: '/',
    env: {},
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
