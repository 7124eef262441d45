/** Starts that must fail and stops that must lose nothing: real processes on an embedded database. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { Pool } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { findRunningEngine, startEngine } from '../../src/platform/engine/engine.ts'
import { issueApiKey } from '../support/api-keys.ts'
import { embeddedDatabase, productDatabaseOfFile } from '../support/database.ts'
import { productEnvironment } from '../support/environment.ts'
import { freePort } from '../support/free-port.ts'
import { longHistoryFile } from '../support/long-history.ts'
import { commandOutcome, type Product, startProduct } from '../support/product.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const MAIN = path.join(import.meta.dirname, '../../src/main.ts')

const copy = await productDatabaseOfFile(embeddedDatabase())

let product: Product | undefined
afterEach(() => {
  if (product?.process.exitCode === null) product.process.kill('SIGKILL')
})

const start = async (options: { command?: string[] } = {}) => {
  product = await startProduct({ dataDir: copy.dataDir, env: { ...copy.env, SAMPLE_DATA: 'off' }, ...options })
  return product
}

/** Throws if a process still uses the folder. */
async function openFolder(): Promise<void> {
  await using _ = await startEngine({ dataDir: path.join(copy.dataDir, 'engine') })
}

describe('a port in use', () => {
  it.each(['PORT', 'METRICS_PORT'])('is reported with its variable, %s, and locks nothing', async (variable) => {
    await using other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const env = { ...copy.env, PORT: '0', LOG_LEVEL: 'silent', [variable]: String(port) }
    const host = variable.replace('PORT', 'HOST')
    expect(await commandOutcome(env, '../main.ts')).toMatchObject({
      code: 1,
      stderr: `${variable}=${port}, ${host}=127.0.0.1: another program listens on this port. End it, or set ${variable} to a free one; 0 takes any.\n`,
    })
    await openFolder()
  })
})

/** Sends requests one after another until the connection is refused. */
interface Client {
  /** Errors of requests that got no response. */
  lost: string[]
  lastConnection: string | undefined
}

/** Calls `begun` after each response. */
async function sendUntilRefused(ask: () => Promise<string | undefined>, begun: () => void): Promise<Client> {
  const client: Client = { lost: [], lastConnection: undefined }
  for (;;) {
    try {
      client.lastConnection = await ask()
      begun()
    } catch (err) {
      const { code, message } = err as NodeJS.ErrnoException
      if (code !== 'ECONNREFUSED') client.lost.push(code ?? message)
      return client
    }
  }
}

function undiciClient(url: URL, begun: () => void): Promise<Client> {
  const pool = new Pool(url.origin, { connections: 1, pipelining: 1 })
  return sendUntilRefused(async () => {
    const { headers, body } = await pool.request({ path: '/v1/status', method: 'GET' })
    await body.dump()
    return headers.connection as string | undefined
  }, begun)
}

function agentClient(url: URL, begun: () => void): Promise<Client> {
  const agent = new HttpAgent({ keepAlive: true, maxSockets: 1 })
  return sendUntilRefused(async () => {
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      httpGet(new URL('/v1/status', url), { agent }, resolve).on('error', reject),
    )
    for await (const _ of answer);
    return answer.headers.connection
  }, begun)
}

describe('a stop', () => {
  it('during the start exits with 0, and the next start can open the folder', async () => {
    const env = productEnvironment({ ...copy.env, PORT: '0', METRICS_PORT: '0', SAMPLE_DATA: 'off' })
    const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    for await (const text of child.stdout) {
      output += text
      if (output.includes('opening the database')) child.kill('SIGTERM')
    }
    expect([child.exitCode ?? (await once(child, 'exit'))[0], output.includes('"ready"')]).toEqual([0, false])
    expect(output).toContain('"stopped"')
    await openFolder()
  })

  it('loses no request of six clients, answers long polls, and closes open connections', async () => {
    const { url, process: child, output } = await start()
    const { key } = await issueApiKey(copy, { plan: 'API' })
    const headers = { authorization: `Bearer ${key}` }
    const changes = (query: string) => fetch(new URL(`/v1/changes?${query}`, url), { headers })
    const { next } = (await (await changes('since=latest')).json()) as { next: string }
    const pool = new Pool(url.origin, { connections: 1 })
    const readiness = async () => {
      const { statusCode, headers, body } = await pool.request({ path: '/readyz', method: 'GET' })
      return { statusCode, connection: headers.connection, body: await body.json() }
    }
    expect(await readiness()).toMatchObject({ statusCode: 200, connection: 'keep-alive' })
    const begun = Array.from({ length: 6 }, () => Promise.withResolvers<void>())
    const clients = begun.map(({ resolve }, i) => (i % 2 === 0 ? undiciClient : agentClient)(url, resolve))
    const waiting = Array.from({ length: 3 }, () => changes(`since=${next}&wait=30`))
    const exited = once(child, 'exit')
    await Promise.all(begun.map(({ promise }) => promise))
    await fetch(new URL('/v1/today', url)) // sent after the waiting requests, which are therefore in progress
    child.kill('SIGTERM')
    await expect.poll(output, { interval: 5 }).toContain('"msg":"stopping"')
    expect(await readiness()).toEqual({
      statusCode: 503,
      connection: 'close',
      body: { ready: false, checks: { service: 'stopping' } },
    })
    for (const { lost, lastConnection } of await Promise.all(clients))
      expect({ lost, lastConnection }).toEqual({ lost: [], lastConnection: 'close' })
    for (const answer of await Promise.all(waiting)) {
      expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
      expect(await answer.json()).toEqual({ changes: [], next, more: false })
    }
    expect(await exited).toEqual([0, null])
  })
})

describe('a service started by npm', () => {
  const stopsAfter = async (kill: (npm: Product) => void) => {
    const npm = await start({ command: ['npm', 'start'] })
    kill(npm)
    await expect.poll(npm.output).toContain('"msg":"stopped"')
    await expect.poll(() => openFolder().then(() => 'free')).toBe('free')
    return npm.output()
  }

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('stops on %s sent to npm', async (signal) => {
    await stopsAfter((npm) => npm.process.kill(signal))
  })

  it('stops on Ctrl-C, which reaches it from the terminal and from npm', async () => {
    const output = await stopsAfter((npm) => process.kill(-npm.pid, 'SIGINT'))
    expect(output).toContain('"signal":"SIGINT"')
  })
})

it.skipIf(process.platform === 'win32')('a command run by npm ends with npm, and releases the folder', async () => {
  await using stack = new AsyncDisposableStack()
  const scratch = await scratchFolder(stack)
  const npm = spawn('npm', ['run', 'import', '--', await longHistoryFile(scratch)], {
    cwd: path.dirname(path.dirname(MAIN)),
    env: productEnvironment(copy.env),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const printed = npm.stdout.setEncoding('utf8').toArray() // ends with the command itself
  const engine = () => findRunningEngine(path.join(copy.dataDir, 'engine'))
  await expect.poll(engine).toBeDefined()
  npm.kill('SIGTERM')
  expect((await printed).join('')).not.toContain('prices read')
  await openFolder()
})

describe('a standard output that cannot be written', () => {
  const cases: [string, string][] = [
    ['a full disk', 'exec "$0" "$1" > /dev/full'],
    ['a reader that has gone', '"$0" "$1" | head -c 1 > /dev/null'],
    ['a reader that does not read', '"$0" "$1" | sleep 1000'],
  ]
  it.each(cases)('%s delays neither the start nor the stop', async (_, command) => {
    const metrics = { METRICS_PORT: '0', LOG_LEVEL: 'trace' }
    const port = await freePort()
    const env = productEnvironment({ ...copy.env, ...metrics, PORT: String(port), SAMPLE_DATA: 'off' })
    const shell = spawn('sh', ['-c', command, process.execPath, MAIN], { env, stdio: 'ignore', detached: true })
    try {
      const ready = () =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ status }) => status,
          () => 0,
        )
      await expect.poll(ready).toBe(200)
      const { pid } = (await findRunningEngine(path.join(copy.dataDir, 'engine'))) ?? {}
      process.kill(pid as number, 'SIGTERM')
      await expect.poll(() => openFolder().then(() => 'free', String)).toBe('free')
    } finally {
      if (shell.exitCode === null) process.kill(-(shell.pid as number), 'SIGKILL')
    }
  })
})
