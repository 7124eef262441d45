/** A mirror that follows `/v1/changes` of a product through a month with corrections, while both are killed and restarted. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { issueApiKey } from '../support/api-keys.ts'
import { productDatabaseOfFile } from '../support/database.ts'
import { productEnvironment } from '../support/environment.ts'
import { freePort } from '../support/free-port.ts'
import { commaDecimal, gmeXml, plainValue } from '../support/gme-documents.ts'
import { cursorOfMirror, digestOfDatabase, digestOfMirror } from '../support/mirror-file.ts'
import { endProcess, type Product, runCommand, startProduct } from '../support/product.ts'
import { isLongRun, repetitions } from '../support/repetitions.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'

const KILLS = repetitions(3, 10)
/** The month of October, or some days of it with the change day. */
const FIRST = Temporal.PlainDate.from(isLongRun ? '2026-10-01' : '2026-10-22')
const DAYS = repetitions(8, 31)
const NOW = '2026-11-05T10:00:00Z'
/** What dies, and when. The last two batches end with an orderly restart of each. */
const DEATHS = [
  'mirror while it applies',
  'service while the mirror applies',
  'service while files are imported',
] as const
type End = (typeof DEATHS)[number] | 'service in order' | 'mirror in order'
const ENDS: End[] = [
  ...Array.from({ length: KILLS }, (_, i) => DEATHS[i % DEATHS.length] as End),
  'service in order',
  'mirror in order',
]
const MIRROR = path.join(import.meta.dirname, '../support/mirror.ts')

const copy = await productDatabaseOfFile()
const scratch = await scratchFolderOfFile()
const port = await freePort() // kept over restarts, as that of a real service
let product: Product
let mirror: ChildProcess
let key: string
beforeAll(async () => {
  product = await startService()
  key = (await issueApiKey(copy, { plan: 'API' })).key
  mirror = startMirror()
})
afterAll(async () => {
  await endProcess(mirror, 'SIGTERM')
  await endProcess(product.process, 'SIGTERM')
})

const startService = () =>
  startProduct({
    dataDir: copy.dataDir,
    env: { ...copy.env, CLOCK: NOW, SAMPLE_DATA: 'off', PORT: String(port) },
  })
const mirrorFile = () => path.join(scratch, 'mirror.sqlite')
const startMirror = () =>
  spawn(process.execPath, [MIRROR, mirrorFile(), `http://127.0.0.1:${port}`, key], {
    env: productEnvironment({}),
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** The nth reading of a day: later ones differ in every fifth interval. */
const gmeDay = (day: string, n: number) =>
  gmeXml({
    ...{ day, resolution: 15 },
    prices: (tag, ordinal) => commaDecimal(plainValue(tag, ordinal) + (ordinal % 5 === n ? n : 0)),
  })

/** The new days of a batch, and corrections of days before. */
async function writeBatch(batch: number): Promise<string[]> {
  const size = Math.ceil(DAYS / ENDS.length)
  const days = Array.from({ length: DAYS }, (_, i) => FIRST.add({ days: i }).toString())
  const fresh = days.slice(batch * size, (batch + 1) * size)
  const corrected = days.slice(0, batch * size).filter((_, i) => (i + batch) % 2 === 0)
  const files = [...fresh.map((day) => ({ day, n: 0 })), ...corrected.map((day) => ({ day, n: (batch % 4) + 1 }))].map(
    ({ day, n }) => ({ name: `${day.replaceAll('-', '')}MGPPrezzi15.xml`, text: gmeDay(day, n) }),
  )
  const prices = [...fresh, ...corrected].map((day, i) => `${day},${30 + batch + i / 4}\n`)
  files.push({ name: 'psv.csv', text: `date,price\n${prices.join('')}` })
  for (const { name, text } of files) await writeFile(path.join(scratch, name), text)
  return files.map(({ name }) => path.join(scratch, name))
}

/** Whether it came to its end: the service may be killed meanwhile. */
async function importFiles(files: string[], batch: number): Promise<boolean> {
  const env = { ...copy.env, CLOCK: Temporal.Instant.from(NOW).add({ hours: batch }).toString() } // later readings are later
  const csv = files.filter((file) => file.endsWith('.csv'))
  const xml = files.filter((file) => file.endsWith('.xml'))
  try {
    await runCommand(env, 'import.ts', ...xml)
    await runCommand(env, 'import.ts', '--asset', 'psv', ...csv)
    return true
  } catch {
    return false
  }
}

const applying = () => once(mirror.stdout as NodeJS.ReadableStream, 'data')

/** Ends the one or the other; resolves with how it is started again. */
const ENDINGS: Record<End, () => Promise<() => Promise<void>>> = {
  async 'mirror while it applies'() {
    await applying()
    await endProcess(mirror, 'SIGKILL')
    return restartMirror
  },
  async 'service while the mirror applies'() {
    await applying()
    await endProcess(product.process, 'SIGKILL')
    return restartService
  },
  async 'service while files are imported'() {
    await sleep(Math.random() * 3_000)
    await endProcess(product.process, 'SIGKILL')
    return restartService
  },
  async 'service in order'() {
    await endProcess(product.process, 'SIGTERM')
    return restartService
  },
  async 'mirror in order'() {
    await endProcess(mirror, 'SIGTERM')
    return restartMirror
  },
}

async function restartService(): Promise<void> {
  product = await startService()
}

async function restartMirror(): Promise<void> {
  mirror = startMirror()
}

async function latestCursor(): Promise<unknown> {
  const headers = { Authorization: `Bearer ${key}` }
  const response = await fetch(new URL('/v1/changes?since=latest', product.url), { headers })
  return ((await response.json()) as { next: string }).next
}

it(`equals the database by digest after ${DAYS} days with corrections and ${KILLS} kills`, async () => {
  for (const [batch, ending] of ENDS.entries()) {
    const files = await writeBatch(batch)
    const imported = importFiles(files, batch)
    const restart = await ENDINGS[ending]()
    const isImported = await imported // without a service it opens the database itself
    await restart()
    if (!isImported) expect(await importFiles(files, batch)).toBe(true)
  }
  await expect.poll(async () => cursorOfMirror(mirrorFile()) === (await latestCursor())).toBe(true)
  await using opened = await copy.open()
  const expected = await digestOfDatabase(opened.database.sql)
  expect(Number.parseInt(expected, 10)).toBeGreaterThan(DAYS * (24 + 7))
  expect(digestOfMirror(mirrorFile())).toBe(expected)
})
