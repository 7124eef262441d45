/**
 * One API process and two; reads on zero, one and two replicas; on a temporary TimescaleDB server: responses from the cache and
 * computed ones. Every request comes from another address, or with another key. Needs the TimescaleDB package, redis-server and wrk;
 * everything shares the CPUs of this machine.
 */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { seedApiKey } from '../support/api-keys.ts'
import { type PlainServer, startTimescaleServer, TIMESCALE_SETTINGS } from '../support/plain-server.ts'
import { type Server, startReplica } from '../support/postgres-cluster.ts'
import { endProcess, startProduct } from '../support/product.ts'
import { startRedisServer } from '../support/redis-server.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { atLeast, type BenchRow } from './bench.ts'
import { fillZones } from './scratch.ts'

const KEYS = 200
const UNLIMITED = 1_000_000
const SECONDS = 4
const CONNECTIONS = 16
const TODAY = Temporal.Now.plainDateISO('Europe/Rome')
const SPAN = { from: TODAY.subtract({ days: 400 }), to: TODAY }
const run = promisify(execFile)

interface Setup {
  name: string
  processes: number
  replicas: number
  limits: 'memory' | 'postgres' | 'Valkey or Redis'
}

const SETUPS: readonly Setup[] = [
  { name: 'one process', processes: 1, replicas: 0, limits: 'memory' },
  { name: 'one, shared limits', processes: 1, replicas: 0, limits: 'Valkey or Redis' },
  { name: 'two', processes: 2, replicas: 0, limits: 'Valkey or Redis' },
  { name: 'two', processes: 2, replicas: 0, limits: 'postgres' },
  { name: 'two, one replica', processes: 2, replicas: 1, limits: 'Valkey or Redis' },
  { name: 'two, two replicas', processes: 2, replicas: 2, limits: 'Valkey or Redis' },
]

interface Figures {
  cached: number
  computed: number
}

export async function processes(): Promise<BenchRow[]> {
  await using stack = new AsyncDisposableStack()
  const folder = await scratchFolder(stack)
  const server = stack.use(await startTimescaleServer({ poolSize: 4 }))
  await fillZones(server, { ...SPAN, resolutionMinutes: 15 })
  const keys: string[] = []
  const limits = { requestsPerMinute: UNLIMITED, requestsPerMonth: UNLIMITED }
  for (let i = 0; i < KEYS; i++)
    keys.push((await seedApiKey(server.database.sql, { plan: 'Enterprise', ...limits })).key)
  const replicas = [
    stack.use(await startReplica(server.home, server.server, 'first', TIMESCALE_SETTINGS)),
    stack.use(await startReplica(server.home, server.server, 'second', TIMESCALE_SETTINGS)),
  ]
  const store = stack.use(await startRedisServer('of-a-bench'))
  const scripts = await writeScripts(folder, keys)
  const measured: (Setup & Figures)[] = []
  for (const setup of SETUPS)
    measured.push({ ...setup, ...(await measure(setup, server, replicas, store.url, folder, scripts)) })
  console.table(measured)
  return rowsOf(measured)
}

type Scripts = Record<keyof Figures, string>

/** The requests of wrk: a client and, for computed responses, a random interval. */
async function writeScripts(folder: string, keys: readonly string[]): Promise<Scripts> {
  const cached = `
    request = function()
      local address = string.format("10.%d.%d.%d", math.random(0, 9), math.random(0, 99), math.random(1, 99))
      return wrk.format("GET", "/v1/today", { ["X-Forwarded-For"] = address })
    end`
  const computed = `
    local keys = { ${keys.map((key) => `"${key}"`).join(',')} }
    request = function()
      local from = os.time() - math.random(31, 399) * 86400
      local to = from + math.random(20, 30) * 86400
      local path = "/v1/pun/hourly?from=" .. os.date("%Y-%m-%d", from) .. "&to=" .. os.date("%Y-%m-%d", to)
      return wrk.format("GET", path, { ["Authorization"] = "Bearer " .. keys[math.random(#keys)] })
    end`
  const scripts: Scripts = { cached: path.join(folder, 'cached.lua'), computed: path.join(folder, 'computed.lua') }
  await writeFile(scripts.cached, cached)
  await writeFile(scripts.computed, computed)
  return scripts
}

async function measure(
  { processes, replicas, limits }: Setup,
  server: PlainServer,
  servers: readonly Server[],
  store: URL,
  dataDir: string,
  scripts: Scripts,
): Promise<Figures> {
  const product = await startProduct({
    dataDir,
    env: {
      NODE_ENV: 'production',
      ROLE: 'api',
      MIGRATIONS: 'check',
      DATABASE_URL: server.superuserUrl,
      READ_DATABASE_URL: servers
        .slice(0, replicas)
        .map(({ superuserUrl }) => superuserUrl)
        .join(','),
      API_PROCESSES: String(processes),
      LIMITS_STORE: limits === 'Valkey or Redis' ? store.href : limits,
      TRUSTED_PROXIES: 'loopback',
    },
  })
  try {
    const cached = await load(product.url, scripts.cached)
    return { cached, computed: await load(product.url, scripts.computed) }
  } finally {
    await endProcess(product.process, 'SIGTERM')
  }
}

/** Requests per second, after a short warm-up. */
async function load(url: URL, script: string): Promise<number> {
  const runWrk = (seconds: number) => run('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, url.href])
  await runWrk(1)
  const { stdout } = await runWrk(SECONDS)
  const perSecond = /Requests\/sec: +([\d.]+)/.exec(stdout)?.[1]
  if (/Non-2xx|Socket errors/.test(stdout) || perSecond === undefined) throw new Error(`${url}: ${stdout}`)
  return Math.round(Number(perSecond))
}

function rowsOf(measured: readonly (Setup & Figures)[]): BenchRow[] {
  const at = (i: number) => measured[i] as Figures
  const [one, oneShared, two, oneReplica, twoReplicas] = [at(0), at(1), at(2), at(4), at(5)]
  const row = (name: string, what: keyof Figures, of: Figures, against: Figures, bound: number) =>
    atLeast(bound, 'ratio', of[what] / against[what], {
      name: `processes: ${name}`,
      details: `${of[what]}/s against ${against[what]}/s`,
    })
  return [
    row('answers in the cache, two processes against one with limits of its own', 'cached', two, one, 0.5),
    row('answers in the cache, two against one, limits shared', 'cached', two, oneShared, 1.2),
    row('computed answers, two processes against one', 'computed', two, one, 1),
    row('computed answers, two processes and a replica against none', 'computed', oneReplica, two, 0.9),
    row('computed answers, two processes and two replicas against none', 'computed', twoReplicas, two, 0.9),
  ]
}
