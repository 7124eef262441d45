/** A service filled with sample data, into which an operator imports real data: then no invented data is left. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BulkDescriptor } from '../../src/api/contract/bulk.ts'
import { offersPublishedBetween } from '../../src/publishers/sample/offers.ts'
import { historyStart, marketsStart, publicationsBetween } from '../../src/publishers/sample/publications.ts'
import { issueApiKey } from '../support/api-keys.ts'
import { productDatabaseOfFile } from '../support/database.ts'
import { gmeXml } from '../support/gme-documents.ts'
import { commandOutcome, endProcess, type Product, startProduct } from '../support/product.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'

/** A change day, in the afternoon: tomorrow's prices are published. */
const ENV = {
  CLOCK: '2025-10-26T14:30:00Z',
  BULK_EXPORTS: 'on',
  OPEN_REQUESTS_PER_MINUTE: '100000',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
}
const TODAY = '2025-10-26'
/** Twelve bulk files are created one after another. */
const POLL_OPTIONS = { interval: 250 }
const SYNTHETIC_TEXT = /synthetic|sintetici|"sample"/i
/** Requests to every part of the service; at first all responses are made of sample data. */
const ANSWERS = [
  '/v1/today',
  '/v1/psv/today',
  '/v1/ttf/today',
  '/v1/prices/pun/series',
  '/v1/prices/psv/series',
  '/v1/prices/brent/series',
  '/v1/pun/hourly?date=2025-10-25',
  '/v1/pun/zones?date=2025-10-25',
  '/v1/trading/vitals',
  '/v1/trading/correlation',
  '/v1/forecast/pun',
  '/v1/forecast/psv/scenarios',
  '/v1/forecast/track-record',
  '/v1/mercato-libero/stats?commodity=luce',
  '/v1/svc-index?commodity=luce',
  '/v1/tools/bill-estimate?commodity=luce&consumption=2700',
]
const PAGES = ['/en/', '/it/', '/en/prices/pun', '/it/prices/ttf', '/en/forecasts', '/it/offers', '/en/status']

const scratch = await scratchFolderOfFile()
const copy = await productDatabaseOfFile()
const env = { ...copy.env, ...ENV }
let product: Product
let key: string
let sampleFile: string
beforeAll(async () => {
  product = await startUnready()
  key = (await issueApiKey(copy, { plan: 'Enterprise' })).key
  await writeFile(path.join(scratch, 'pun.xml'), gmeXml({ day: TODAY, resolution: 15 }))
})
afterAll(() => stop('SIGTERM'))

/** Not ready until it has data. */
const startUnready = () => startProduct({ dataDir: copy.dataDir, env, ready: false })

const stop = (signal: NodeJS.Signals) => endProcess(product.process, signal)

const command = (script: string, ...args: string[]) => commandOutcome(env, script, ...args)

async function get(target: string): Promise<{ status: number; text: string }> {
  const response = await fetch(new URL(target, product.url), { headers: { authorization: `Bearer ${key}` } })
  return { status: response.status, text: await response.text() }
}
const statusOf = async (target: string) => (await get(target)).status

async function countInViews(): Promise<number> {
  await using joined = await copy.open()
  const [row] = await joined.database.sql<{ n: number }[]>`
    select (select count(*) from analytics.price_index where is_synthetic)
         + (select count(*) from analytics.prices_by_interval where is_synthetic)
         + (select count(*) from analytics.prices_by_hour where is_synthetic)
         + (select count(*) from analytics.prices_by_month where is_synthetic)
         + (select count(*) from analytics.offer_indices where is_synthetic)
         + (select count(*) from analytics.forecasts where is_synthetic) as n`
  return Number(row?.n)
}

/** Everything that a complete first start stores. */
function published() {
  const now = Temporal.Instant.from(ENV.CLOCK)
  const publications = [...publicationsBetween(historyStart(now), now, new Set(), marketsStart(now))].filter(
    (one) => !one.isCorrection,
  )
  const items = publications.flatMap((publication) => publication.items)
  const zoneDays = items.filter((item) => item.kind === 'zone-day')
  return {
    intervals: zoneDays.reduce((sum, { prices }) => sum + prices.length, 0),
    days: items.filter((item) => item.kind === 'daily-price').length,
    lists: [...offersPublishedBetween(undefined, now)].length,
    twice: 0,
  }
}

describe('sample data', () => {
  it('are complete and without duplicates although the first start was killed', async () => {
    const state = await fetch(new URL('/readyz', product.url))
    expect([state.status, await state.json()]).toMatchObject([503, { checks: { database: 'ok' } }])
    await stop('SIGKILL')
    product = await startUnready()
    await product.pollUntilOk('/readyz')
    await product.pollUntilOk('/v1/today', 1)
    await expect.poll(() => product.output(), POLL_OPTIONS).toContain('sample offers stored')
    await using joined = await copy.open()
    const [stored] = await joined.database.sql`
      select (select count(*) from price_intervals)::integer as intervals,
             (select count(*) from daily_prices)::integer as days,
             (select count(*) from offer_days)::integer as lists,
             (select count(*) - count(distinct (zone, starts_at)) from price_intervals)::integer as twice`
    expect(stored).toEqual(published())
  })

  it('fill every response at first, and are labelled as synthetic', async () => {
    for (const target of ANSWERS)
      await expect.poll(() => statusOf(target), { ...POLL_OPTIONS, message: target }).toBe(200)
    const today = JSON.parse((await get('/v1/today')).text) as { values: Record<string, { source: string }> }
    expect(Object.keys(today.values)).toEqual(['PUN', 'PSV', 'TTF', 'Brent', 'CO2'])
    for (const { source } of Object.values(today.values)) expect(source).toMatch(SYNTHETIC_TEXT)
    for (const target of ['/v1/trading/vitals', '/en/']) expect((await get(target)).text).toMatch(SYNTHETIC_TEXT)
    await expect.poll(() => statusOf('/v1/bulk/prices-daily'), POLL_OPTIONS).toBe(200)
    const descriptor = JSON.parse((await get('/v1/bulk/prices-daily')).text) as BulkDescriptor
    const { pathname, search } = new URL(descriptor.download_url)
    sampleFile = pathname + search // without the port, which changes on restart
    expect(await statusOf(sampleFile)).toBe(200)
    expect(await countInViews()).toBeGreaterThan(100_000)
  })

  it('disappear from every response, view and file with the first real day', async () => {
    const { code, stdout, stderr } = await command('import.ts', path.join(scratch, 'pun.xml'))
    expect(stderr).toBe('')
    expect(stdout).toMatch(/1 document, 800 prices read: 800 stored/)
    expect(code).toBe(0)
    expect(await countInViews()).toBe(0)
    await expect.poll(async () => (await get('/v1/pun/today')).text, POLL_OPTIONS).toContain('(GME)')
    const today = JSON.parse((await get('/v1/today')).text) as { values: object }
    expect(Object.keys(today.values)).toEqual(['PUN'])
    for (const target of ANSWERS) expect((await get(target)).text, target).not.toMatch(SYNTHETIC_TEXT)
    for (const target of ['/v1/psv/today', '/v1/trading/vitals', '/v1/trading/correlation', '/v1/forecast/pun'])
      expect(await get(target), target).toMatchObject({ status: 503, text: expect.stringContaining('no_data') })
    expect(await statusOf('/v1/tools/bill-estimate?commodity=luce&consumption=2700')).toBe(503)
    expect(await statusOf(sampleFile)).toBe(404)
    expect(await statusOf('/v1/bulk/prices-daily')).toBe(503)
    const { sample_data_ended_at: endedAt, sources } = JSON.parse((await get('/v1/status')).text) as {
      sample_data_ended_at: string
      sources: { id: string; series: unknown[] }[]
    }
    expect(endedAt).toMatch(/^2025-10-26T1[45]:/)
    expect(sources.find(({ id }) => id === 'sample')?.series).toEqual([])
  })

  it('leave pages that report missing prices', async () => {
    for (const target of PAGES) {
      const { status, text } = await get(target)
      expect(status, target).toBe(200)
      expect(text, target).not.toMatch(/class="synthetic"/)
    }
    expect((await get('/it/prices/ttf')).text).toContain('Nessun prezzo in archivio.')
    expect((await get('/en/')).text).toContain('No price is stored.')
  })

  it('do not return after a restart, and their removal logs no error', async () => {
    await stop('SIGTERM')
    expect(product.output()).not.toContain('"level":"error"')
    product = await startUnready()
    await product.pollUntilOk('/readyz')
    await using joined = await copy.open()
    const published = () => joined.database.sql<{ state: string }[]>`
      select state from pgboss.job where name = 'sample.publish' and state not in ('completed', 'cancelled')`
    await expect.poll(async () => (await published()).length, POLL_OPTIONS).toBe(0)
    expect(await countInViews()).toBe(0)
    expect(await statusOf('/v1/psv/today')).toBe(503)
  })
})
