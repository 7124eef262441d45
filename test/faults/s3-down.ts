/** The S3 store of the bulk exports refuses connections while files are due, then accepts them without responding, then recovers. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { BULK_FORMATS } from '../../src/api/contract/bulk.ts'
import { connectDatabase, type Sql } from '../../src/store/database.ts'
import { seedApiKey } from '../support/api-keys.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { endProcess } from '../support/product.ts'
import { startS3Server } from '../support/s3-server.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import type { Finding } from './fault.ts'
import { DAY, pollUntil, seedPrices, startDatabase, startService } from './scene.ts'

const S3 = { id: 'an-access-key', secret: 'not-a-secret-of-anybody' }
const DATASETS = ['pun-hourly', 'prices-daily']
const FILES = DATASETS.flatMap((dataset) => BULK_FORMATS.map((format) => `${dataset}?format=${format}`))
/** The first files are created; a night later the store refuses connections; an hour later it hangs; another hour later it recovers. */
const CLOCKS = {
  first: `${DAY}T10:00:00Z`,
  refusing: '2026-10-26T04:00:00Z',
  silent: '2026-10-26T05:05:00Z',
  back: '2026-10-26T06:10:00Z',
}
const UNAFFECTED_PATHS = [
  '/healthz',
  '/readyz',
  '/v1/today',
  '/v1/status',
  `/v1/prices/pun/series?from=${DAY}&to=${DAY}`,
]

export default async function s3Down(): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const folder = await scratchFolder(stack)
  const { url } = await startDatabase(folder, stack)
  await seedPrices(url)
  const { sql } = stack.use(connectDatabase({ url, poolSize: 2 }))
  const store = stack.use(await startS3Server(S3))
  const gate = stack.use(await startGate(Number(new URL(store.endpoint).port)))
  const aside = path.join(folder, 'aside')
  await mkdir(aside)
  const start = (clock: string) =>
    startService(stack, { ...environment(url, gate.endpoint, aside), CLOCK: clock }, folder)
  const { key } = await seedApiKey(sql, { plan: 'Enterprise' })

  const first = await start(CLOCKS.first)
  await pollUntil(() => hasOutcomes(sql, ['published']))
  const before = await descriptors(first.url, key)
  await endProcess(first.process, 'SIGTERM')
  await storePrices(sql, [zoneDay('nazionale', '2026-10-26', 15, (quarter) => 50 + quarter)])

  await gate.refuse()
  const refused = await start(CLOCKS.refusing)
  await pollUntil(() => hasOutcomes(sql, ['failed']))
  const during = await descriptors(refused.url, key)
  const others = await statuses(refused.url)
  const [why] = await sql<{ detail: string }[]>`select detail from bulk_exports where outcome = 'failed' limit 1`
  const failures = refused.output().match(/"event":"bulk_export_failed"/g)?.length ?? 0
  await endProcess(refused.process, 'SIGTERM')
  const debris = await readdir(aside)

  await gate.stopResponding()
  const waiting = await start(CLOCKS.silent)
  await pollUntil(async () => gate.acceptedCount() > 0 && (await hasOutcomes(sql, [null], 1)))
  const statusesDuringHang = await statuses(waiting.url)
  const stopping = performance.now()
  await endProcess(waiting.process, 'SIGTERM')
  const stopSeconds = (performance.now() - stopping) / 1_000

  gate.open()
  const back = await start(CLOCKS.back)
  // A retry of an earlier job, whose backoff is in real time, may have stored the new file already.
  await pollUntil(() => hasOutcomes(sql, ['published', 'unchanged']))
  const after = await descriptors(back.url, key)
  const contents = await Promise.all(after.map(({ url }) => sha256Of(url)))
  await endProcess(back.process, 'SIGTERM')

  const same = during.filter(({ sha256 }, i) => sha256 === before[i]?.sha256).length
  const good = after.filter(({ sha256 }, i) => sha256 === contents[i] && sha256 !== before[i]?.sha256).length
  return [
    {
      promise: 'the files before stay described',
      isMet: same === FILES.length,
      seen: `${same} of ${FILES.length}`,
    },
    {
      promise: 'the failure is in the log and with the export',
      isMet: failures >= FILES.length && why?.detail.includes('ECONNREFUSED') === true,
      seen: `${failures} in the log; ${why?.detail}`,
    },
    {
      promise: 'nothing is left of files that could not be put there',
      isMet: debris.length === 0,
      seen: `${debris.length} files`,
    },
    {
      promise: 'everything else answers while it refuses, and while it is silent',
      isMet: [...others, ...statusesDuringHang].every((status) => status === 200),
      seen: `${others.join(' ')}, ${statusesDuringHang.join(' ')}`,
    },
    {
      promise: 'a stop gives an upload that hangs the seconds that every job has, no more',
      isMet: waiting.process.exitCode === 0,
      seen: `exit code ${waiting.process.exitCode} after ${stopSeconds.toFixed(1)} s`,
    },
    {
      promise: 'what failed is asked for again after an hour, and downloads as described once the store is back',
      isMet: good === FILES.length,
      seen: `${good} of ${FILES.length} new files`,
    },
  ]
}

function environment(databaseUrl: string, endpoint: string, aside: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    GME_MGP_REDISTRIBUTABLE: 'true',
    BULK_DIR: aside,
    BULK_S3_BUCKET: 'energy',
    BULK_S3_REGION: 'eu-south-1',
    BULK_S3_ENDPOINT: endpoint,
    BULK_S3_PATH_STYLE: 'true',
    BULK_S3_ACCESS_KEY_ID: S3.id,
    BULK_S3_SECRET_ACCESS_KEY: S3.secret,
  }
}

interface Gate extends AsyncDisposable {
  endpoint: string
  refuse(): Promise<void>
  stopResponding(): Promise<void>
  open(): void
  /** Connections accepted since it stopped responding. */
  acceptedCount(): number
}

/** A proxy in front of the store that passes connections, refuses them, or accepts them without responding. */
async function startGate(port: number): Promise<Gate> {
  const sockets = new Set<Socket>()
  let isOpen = true
  let taken = 0
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    if (!isOpen) {
      taken += 1
      return
    }
    const store = connect(port, '127.0.0.1').on('error', () => socket.destroy())
    socket.pipe(store).pipe(socket)
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const own = await listen(0)
  return {
    endpoint: `http://127.0.0.1:${own}`,
    async refuse() {
      server.close()
      cut()
      await once(server, 'close')
    },
    async stopResponding() {
      isOpen = false
      await listen(own)
    },
    open() {
      isOpen = true
      cut()
    },
    acceptedCount: () => taken,
    async [Symbol.asyncDispose]() {
      server.close()
      cut()
    },
  }
}

interface Descriptor {
  sha256: string
  url: string
}

async function descriptors(base: URL, key: string): Promise<Descriptor[]> {
  return Promise.all(
    FILES.map(async (file) => {
      const answer = await fetch(new URL(`/v1/bulk/${file}`, base), { headers: { authorization: `Bearer ${key}` } })
      const { sha256, download_url: url } = (await answer.json()) as { sha256: string; download_url: string }
      return { sha256, url }
    }),
  )
}

async function sha256Of(url: string): Promise<string> {
  const answer = await fetch(url)
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex')
}

function statuses(base: URL): Promise<number[]> {
  return Promise.all(UNAFFECTED_PATHS.map(async (target) => (await fetch(new URL(target, base))).status))
}

/** Whether at least `count` files have one of these outcomes; null means in progress. */
async function hasOutcomes(sql: Sql, outcomes: readonly (string | null)[], count = FILES.length): Promise<boolean> {
  const rows = await sql<{ outcome: string | null }[]>`
    select outcome from bulk_exports where dataset in ${sql(DATASETS)} and format in ${sql(BULK_FORMATS)}`
  return rows.filter(({ outcome }) => outcomes.includes(outcome)).length >= count
}
