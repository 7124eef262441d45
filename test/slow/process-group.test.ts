import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type PlainServer, startPlainServer } from '../support/plain-server.ts'
import { hasPostgres, needsPostgres } from '../support/postgres-cluster.ts'
import { endProcess, type Product, type ProductOptions, startProduct } from '../support/product.ts'

const CLIENTS = 6
const ROLES = ['"role":"api"', '"role":"api"', '"role":"worker"']

describe.skipIf(!hasPostgres)(needsPostgres('the processes of a group'), () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'energy-prices-group-'))
  let server: PlainServer
  const started: Product[] = []
  beforeAll(async () => {
    server = await startPlainServer({ poolSize: 2 })
  })
  afterEach(async () => {
    await Promise.all(started.splice(0).map((product) => end(product, 'SIGTERM')))
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  async function start(env: Record<string, string> = {}, options: Partial<ProductOptions> = {}): Promise<Product> {
    const shared = { DATABASE_URL: server.superuserUrl, MIGRATIONS: 'check', SAMPLE_DATA: 'off', API_PROCESSES: '2' }
    const product = await startProduct({ dataDir: folder, env: { ...shared, ...env }, ...options })
    started.push(product)
    await expect.poll(() => product.output()).toContain('"processes":')
    return product
  }

  it('share a port and the limits, and have one worker among them', async () => {
    const product = await start({ OPEN_REQUESTS_PER_MINUTE: '40' })
    expect(processesOf(product)).toHaveLength(3)
    await expect
      .poll(() =>
        product
          .output()
          .match(/"role":"\w+"/g)
          ?.sort(),
      )
      .toEqual(ROLES)
    const statuses = await Promise.all(Array.from({ length: 50 }, () => requestPlans(product)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(40)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    await expect.poll(() => countPlanRequests(product)).toBe(50)
    expect(await metricsOf(product)).toMatch(/energy_quarantined_days 0/)
  })

  it('are replaced when they die, and their counts stay', async () => {
    const product = await start({ ROLE: 'api', OPEN_REQUESTS_PER_MINUTE: '1000' })
    const before = processesOf(product)
    expect(before).toHaveLength(2)
    for (let i = 0; i < 20; i++) expect(await requestPlans(product)).toBe(200)
    await expect.poll(() => countPlanRequests(product)).toBe(20)
    process.kill(before[0] as number, 'SIGKILL')
    await expect.poll(() => processesOf(product).filter((pid) => !before.includes(pid))).toHaveLength(1)
    await expect.poll(() => product.output().match(/"role":"api"/g)?.length).toBe(3)
    expect(processesOf(product)).toHaveLength(2)
    for (let i = 0; i < 5; i++) expect(await requestPlans(product)).toBe(200)
    await expect.poll(() => countPlanRequests(product)).toBe(25)
  })

  it('are all restarted on SIGHUP without a lost request, and all stop on SIGTERM', async () => {
    const product = await start({ OPEN_REQUESTS_PER_MINUTE: '1000000' })
    const before = processesOf(product)
    const load = sendContinuously(product)
    await expect.poll(() => load.answers).toBeGreaterThan(100)
    product.process.kill('SIGHUP')
    await expect.poll(() => product.output()).toContain('"restarted"')
    const atRestart = load.answers
    await expect.poll(() => load.answers).toBeGreaterThan(atRestart + 100)
    expect(processesOf(product)).toHaveLength(3)
    expect(processesOf(product).filter((pid) => before.includes(pid))).toEqual([])
    await load.end()
    expect(load.problems).toEqual([])
    const processes = processesOf(product)
    expect(await end(product, 'SIGTERM')).toBe(0)
    expect(processes.filter(isAlive)).toEqual([])
  })

  it('end with their parent process', async () => {
    const product = await start()
    const processes = processesOf(product)
    await end(product, 'SIGKILL')
    await expect.poll(() => processes.filter(isAlive)).toEqual([])
  })

  it('are not restarted repeatedly if the first does not start', async () => {
    const url = server.superuserUrl.replace('/energy', '/no_such_database')
    const failing = start({ DATABASE_URL: url })
    await expect(failing).rejects.toThrow(
      /The database cannot be reached: .*\nA process of the service ended \(1\) before it was ready\./,
    )
  })
})

const requestPlans = async (product: Product) =>
  (await fetch(new URL('/v1/plans', product.url), { headers: { connection: 'close' } })).status

/** Clients with keep-alive connections that send one request after another. */
function sendContinuously(product: Product) {
  const load = { answers: 0, problems: [] as unknown[], end: async () => {} }
  let isGoing = true
  const client = async () => {
    while (isGoing) {
      try {
        const answer = await fetch(new URL('/v1/plans', product.url))
        await answer.arrayBuffer()
        if (answer.status === 200) load.answers += 1
        else load.problems.push(answer.status)
      } catch (err) {
        load.problems.push(err)
      }
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  load.end = async () => {
    isGoing = false
    await Promise.all(clients)
  }
  return load
}

async function metricsOf(product: Product): Promise<string> {
  const url = /"metrics":"(http[^"]+)"/.exec(product.output())?.[1] as string
  return (await fetch(url)).text()
}

/** Number of requests for the plans, over all processes. */
async function countPlanRequests(product: Product): Promise<number> {
  const lines = (await metricsOf(product)).matchAll(
    /^energy_http_requests_total\{endpoint="GET \/v1\/plans".* (\d+)$/gm,
  )
  return lines.reduce((sum, [, count]) => sum + Number(count), 0)
}

function processesOf({ pid }: Product): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).map(Number)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const end = ({ process: child }: Product, signal: NodeJS.Signals) => endProcess(child, signal)
