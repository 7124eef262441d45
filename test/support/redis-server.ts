/** A separate Redis server for a test file, in a process that the test starts and stops (Debian: redis-server). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { freePort } from './free-port.ts'

const PROGRAM = 'redis-server'
const POLL_MS = 20

export const hasRedisServer = spawnSync(PROGRAM, ['--version']).status === 0

/** Title of a suite that says why it may be skipped. */
export function needsRedisServer(title: string): string {
  return `${title} (needs ${PROGRAM})`
}

export interface RedisServer extends AsyncDisposable {
  url: URL
  /** Restarts it, empty, on the same port after `stop`. */
  start(): Promise<void>
  stop(): Promise<void>
}

export async function startRedisServer(password: string): Promise<RedisServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-redis-'))
  const port = await freePort()
  let child: ChildProcess
  const start = async () => {
    const settings = [
      '--port',
      `${port}`,
      '--bind',
      '127.0.0.1',
      '--requirepass',
      password,
      '--save',
      '',
      '--dir',
      folder,
    ]
    child = spawn(PROGRAM, settings, { stdio: 'ignore' })
    while (!(await acceptsConnections(port))) {
      if (child.exitCode !== null) throw new Error(`${PROGRAM} ended with ${child.exitCode}`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  await start()
  return {
    url: new URL(`redis://:${encodeURIComponent(password)}@127.0.0.1:${port}`),
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
