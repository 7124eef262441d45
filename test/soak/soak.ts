/**
 * `npm run soak -- --minutes <n> [--clients <n>]`: the product in a separate process under mixed traffic, while prices are imported
 * and corrected, aggregates refreshed, forecasts issued, files exported and webhooks delivered. Checks every response; prints
 * latencies, faults and memory growth. Exits with 1 if anything was wrong, or the heap grew by more than a megabyte a minute.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { marketDayOf } from '../../src/market/market-day.ts'
import { OpenapiValidator } from '../support/openapi-validator.ts'
import { endProcess, type Product, runCommand, startProduct } from '../support/product.ts'
import { residentMb } from '../support/resident-memory.ts'
import { respondWith, startWebhookReceiver, TEST_CA_FILE, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { INSPECTOR_OPTION, openLiveHeap } from './live-heap.ts'
import { Tally } from './tally.ts'
import { type Client, SLOW_TRAFFIC, type Task, TRAFFIC } from './traffic.ts'

/** Corrections come from the sample publisher: a real publisher's first value would remove the sample data that the traffic reads. */
const SAMPLE = 'sample'
const OPENAPI = path.join(import.meta.dirname, '../../src/web/openapi.json')
const THINK_MS = 100
const SLOW_EVERY_MS = 3_000
const IMPORT_EVERY_MS = 20_000
/** Long enough for an import to be aggregated and visible, on a busy machine. */
const VISIBLE_WITHIN_MS = 20_000
const MEMORY_EVERY_MS = 10_000
const MB_PER_MINUTE_MAX = 1
const FAULTS_SHOWN = 20

const { values } = parseArgs({ options: { minutes: { type: 'string' }, clients: { type: 'string' } } })
const minutes = Number(values.minutes ?? 10)
const clients = Number(values.clients ?? 6)

const dataDir = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-soak-'))
const receiver = await startWebhookReceiver(respondWith(204))
const product = await startProduct({
  dataDir,
  within: 300_000,
  env: {
    BULK_EXPORTS: 'on',
    OPEN_REQUESTS_PER_MINUTE: '1000000',
    PAGE_REQUESTS_PER_MINUTE: '1000000',
    NODE_OPTIONS: INSPECTOR_OPTION,
    NODE_EXTRA_CA_CERTS: TEST_CA_FILE,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_ALLOWED_PORTS: String(receiver.port),
  },
})
const run = (file: string, ...args: string[]) => runCommand({ DATA_DIR: dataDir }, file, ...args)
let hasPassed = false
try {
  for (const ready of ['/v1/today', '/v1/svc-index']) await product.pollUntilOk(ready, 300_000)
  hasPassed = await soak(product, receiver)
} finally {
  await endProcess(product.process, 'SIGTERM')
  await receiver[Symbol.asyncDispose]()
  await rm(dataDir, { recursive: true, force: true })
}
process.exit(hasPassed ? 0 : 1)

async function soak({ url, pid, output }: Product, hooks: WebhookReceiver): Promise<boolean> {
  const key = JSON.parse(
    await run('keys.ts', 'create', '--plan', 'Enterprise', '--owner', 'soak', '--per-minute', '1000000', '--json'),
  ).key as string
  const alert = await createAlert(url, key, hooks.port)
  await untilGenerated(url, key)
  const validator = new OpenapiValidator(JSON.parse(await readFile(OPENAPI, 'utf8')))
  const client: Client = { baseUrl: url, key, validator, alertId: alert.id, random: Math.random }
  const webhooks = watchWebhooks(hooks, alert.signing_secret)
  const tally = new Tally()
  using liveHeap = await openLiveHeap(pid, output)
  const began = performance.now()
  const ends = began + minutes * 60_000
  const repeat = async (everyMs: number, round: (i: number) => Promise<void>) => {
    for (let i = 0; performance.now() < ends; i += 1) {
      await round(i)
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }
  const runNext = (list: [string, Task][], i: number) => {
    const [name, task] = list[i % list.length] as [string, Task]
    return tally.time(name, () => task(client))
  }

  await Promise.all([
    ...Array.from({ length: clients }, (_, offset) => repeat(THINK_MS, (i) => runNext(TRAFFIC, i + 2 * offset))),
    repeat(SLOW_EVERY_MS, (i) => runNext(SLOW_TRAFFIC, i)),
    repeat(IMPORT_EVERY_MS, (i) => tally.time('import until it is shown', () => importAndVerify(client, i))),
    repeat(MEMORY_EVERY_MS, async () => {
      const [heapMb, resident] = [await liveHeap.megabytes(), await residentMb(pid)]
      tally.recordMemory({ minutes: (performance.now() - began) / 60_000, heapMb, residentMb: resident })
    }),
  ])

  const heap = tally.memoryGrowth('heapMb')
  const rounded = (of: typeof heap) =>
    Object.fromEntries(Object.entries(of).map(([name, mb]) => [name, Number(mb.toFixed(2))]))
  console.table(tally.rows())
  console.table({
    'heap, collected': rounded(heap),
    'resident, all processes': rounded(tally.memoryGrowth('residentMb')),
  })
  console.log(`heap by the minute: ${tally.heapByMinute().join(', ')} MB`)
  console.log(`${hooks.calls.length} webhooks received, ${webhooks.refused} of them not properly signed`)
  for (const { name, message } of tally.faults.slice(0, FAULTS_SHOWN)) console.log(`${name}: ${message}`)
  const problems = output()
    .trimEnd()
    .split('\n')
    .filter((line) => /"level":"(error|fatal)"/.test(line))
  console.log(`${problems.length} errors in the log`)
  for (const line of problems.slice(0, FAULTS_SHOWN)) console.log(line)
  return (
    tally.faults.length === 0 &&
    webhooks.refused === 0 &&
    hooks.calls.length > 0 &&
    heap.mbPerMinute <= MB_PER_MINUTE_MAX
  )
}

/** The first forecasts and files appear some time after the first prices. */
async function untilGenerated(baseUrl: URL, key: string): Promise<void> {
  const forecasts = ['pun', 'psv', 'ttf'].map((asset) => `/v1/forecast/${asset}/next`)
  const files = ['pun-hourly', 'prices-daily', 'forecast-history', 'forecasts-hourly', 'mercato-libero'].flatMap(
    (dataset) => ['parquet', 'csv.gz'].map((format) => `/v1/bulk/${dataset}?format=${format}`),
  )
  for (const address of [...forecasts, ...files]) {
    const url = new URL(address, baseUrl)
    while ((await fetch(url, { headers: { Authorization: `Bearer ${key}` } })).status !== 200) {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
}

async function createAlert(baseUrl: URL, key: string, port: number): Promise<{ id: string; signing_secret: string }> {
  const response = await fetch(new URL('/v1/alerts', baseUrl), {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      asset: 'pun',
      condition: 'above',
      threshold: 1,
      webhook_url: `https://localhost:${port}/soak`,
    }),
  })
  if (response.status !== 200)
    throw new Error(`the alert was answered with ${response.status}: ${await response.text()}`)
  return (await response.json()) as { id: string; signing_secret: string }
}

/** Imports another price of a past day with the operator's command, and waits until the API returns it. */
async function importAndVerify(client: Client, round: number): Promise<void> {
  const day = marketDayOf(Temporal.Now.instant())
    .subtract({ days: 10 + (round % 20) })
    .toString()
  const price = 40 + (round % 100) / 4
  const file = path.join(dataDir, 'soak.csv')
  await writeFile(file, `date,price\n${day},${price}\n`)
  await run('import.ts', '--asset', 'psv', '--source', SAMPLE, file)
  const until = performance.now() + VISIBLE_WITHIN_MS
  for (;;) {
    const response = await fetch(new URL(`/v1/prices/psv/series?from=${day}&to=${day}`, client.baseUrl), {
      headers: { Authorization: `Bearer ${client.key}` },
    })
    const { points } = (await response.json()) as { points?: { value: number }[] }
    if (points?.[0]?.value === price) return
    if (performance.now() > until) throw new Error(`${day} is ${points?.[0]?.value}, not the ${price} imported`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Counts webhooks with invalid signatures, on arrival, since a signature is valid for five minutes. */
function watchWebhooks(hooks: WebhookReceiver, secret: string): { refused: number } {
  const verifier = new Webhook(secret)
  const seen = { refused: 0 }
  hooks.setReaction((_req, res, { body, headers }) => {
    try {
      verifier.verify(body, headers)
    } catch {
      seen.refused += 1
    }
    res.writeHead(204).end()
  })
  return seen
}
