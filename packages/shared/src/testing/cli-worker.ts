import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** One start of the scripted command-line worker. */
export interface WorkerCall {
  readonly index: number
  /** What came on standard input. */
  readonly prompt: string
  readonly argv: readonly string[]
  readonly cwd: string
  readonly pid: number
}

/** What the test has the worker do. */
export interface WorkerReply {
  readonly stdout?: string
  readonly stderr?: string
  readonly exitCode?: number
  /** Never ends by itself. */
  readonly hang?: boolean
  /** Kills itself with this signal. */
  readonly signal?: NodeJS.Signals
  readonly delayMs?: number
}

export interface CliWorker {
  /** Program and arguments: a real child process that asks the test what to do. */
  readonly command: readonly string[]
  readonly calls: readonly WorkerCall[]
  close(): Promise<void>
}

const PROGRAM = `
const chunks = []
for await (const chunk of process.stdin) chunks.push(chunk)
const [url, ...argv] = process.argv.slice(2)
const response = await fetch(url, {
  method: 'POST',
  body: JSON.stringify({
    prompt: Buffer.concat(chunks).toString('utf8'), argv, cwd: process.cwd(), pid: process.pid,
  }),
})
const reply = await response.json()
if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs))
process.stderr.write(reply.stderr ?? '')
process.stdout.write(reply.stdout ?? '')
if (reply.hang) setInterval(() => {}, 1000)
else if (reply.signal) process.kill(process.pid, reply.signal)
else process.exitCode = reply.exitCode ?? 0
`

/**
 * A command-line worker under the test's control: a real program in `directory` that reads its prompt from standard input
 * and asks a loopback server of the test how to end.
 */
export async function startCliWorker(
  directory: string,
  decide: (call: WorkerCall) => WorkerReply | Promise<WorkerReply>,
): Promise<CliWorker> {
  const calls: WorkerCall[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Omit<WorkerCall, 'index'>
      const call = { ...body, index: calls.length }
      calls.push(call)
      Promise.resolve(decide(call)).then(
        (reply) => response.end(JSON.stringify(reply)),
        (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
      )
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const program = join(directory, 'scripted-worker.mjs')
  writeFileSync(program, PROGRAM)
  const { port } = server.address() as AddressInfo
  return {
    command: [process.execPath, program, `http://127.0.0.1:${port}/`],
    calls,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
