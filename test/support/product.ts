/** The product as users run it: `node src/main.ts` in a separate process on its own folder, accessed over HTTP only. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { promisify } from 'node:util'
import { productEnvironment } from './environment.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const MAIN = path.join(ROOT, 'src/main.ts')
const CLI = path.join(ROOT, 'src/cli')
const POLL_MS = 50
/** Shorter than the test's time-out, so that the failure shows the output. */
const HANG_TIMEOUT_MS = 300_000

export interface Product {
  process: ChildProcess
  pid: number
  url: URL
  /** Everything it printed so far. */
  output(): string
  /** Retries until the status is 200 and returns the body; throws if the process ends first. */
  pollUntilOk(pathname: string, within?: number): Promise<unknown>
}

export interface ProductOptions {
  dataDir: string
  env?: Record<string, string>
  /** Wait for /readyz; default true. */
  ready?: boolean
  /** Milliseconds until it must print its URL. */
  within?: number
  /** Replaces the Node executable; run in the project's folder. */
  command?: string[]
}

/** Starts it on a free port and waits until it is ready. The caller ends the process. */
export async function startProduct({
  dataDir,
  env = {},
  ready = true,
  within = HANG_TIMEOUT_MS,
  command: [program = '', ...args] = [process.execPath, MAIN],
}: ProductOptions): Promise<Product> {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: productEnvironment({ NODE_ENV: 'development', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'info', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: program !== process.execPath, // a separate group, as a terminal gives its foreground job
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  const url = new URL(
    await pollUntil(
      child,
      () => output,
      () => /"url":"(http[^"]+)"/.exec(output)?.[1],
      within,
    ),
  )
  const product: Product = {
    process: child,
    pid: child.pid as number,
    url,
    output: () => output,
    pollUntilOk: (pathname, within = HANG_TIMEOUT_MS) =>
      pollUntil(
        child,
        () => output,
        async () => {
          const response = await fetch(new URL(pathname, url)).catch(() => undefined)
          return response?.status === 200 ? response.text() : undefined
        },
        within,
      ),
  }
  if (ready) await product.pollUntilOk('/readyz')
  return product
}

/** Sends the signal and resolves with the exit code; at once if the process has already ended. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }
  return child.exitCode
}

async function pollUntil<T>(
  child: ChildProcess,
  output: () => string,
  probe: () => T | undefined | Promise<T | undefined>,
  within: number,
): Promise<T> {
  const deadline = performance.now() + within
  for (;;) {
    const found = await probe()
    if (found !== undefined) return found
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the service ended: ${output()}`)
    if (performance.now() > deadline) throw new Error(`nothing within ${within} ms: ${output()}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

export interface Outcome {
  /** null if a signal ended it. */
  code: number | null
  stdout: string
  stderr: string
}

/** Starts a command of `src/cli`, or `../main.ts`; `ended` resolves with its outcome even if it fails. */
export function startCommand(
  env: Record<string, string>,
  file: string,
  args: readonly string[] = [],
  input = '',
): { child: ChildProcess; ended: Promise<Outcome> } {
  const run = promisify(execFile)(process.execPath, [path.join(CLI, file), ...args], { env: productEnvironment(env) })
  run.child.stdin?.end(input)
  const ended = run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Outcome) => ({ code, stdout, stderr }),
  )
  return { child: run.child, ended }
}

export const commandOutcome = (env: Record<string, string>, file: string, ...args: string[]): Promise<Outcome> =>
  startCommand(env, file, args).ended

/** Returns the output of a command. Throws if it fails. */
export async function runCommand(env: Record<string, string>, file: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await commandOutcome(env, file, ...args)
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${stdout}${stderr}`)
  return stdout
}
