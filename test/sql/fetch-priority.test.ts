/** Publishers of the same values, and the state kept between requests and across restarts. */
import { afterEach, describe, expect, it } from 'vitest'
import { announceSources } from '../../src/ingest/announce-sources.ts'
import { sourceRegistry } from '../../src/ingest/source-registry.ts'
import { notCoveredByHigherPriority } from '../../src/ingest/watch-source.ts'
import { BudgetSpent } from '../../src/platform/fetch/outcomes.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { listSourceFetching } from '../../src/store/source-fetching.ts'
import { databaseOfFile } from '../support/database.ts'
import { type FetchHarness, type FetchingOptions, startFetching } from '../support/fetching.ts'
import { CREDENTIALS, plainTruth } from '../support/publishers/index.ts'

const DAY = '2026-10-25'
const NOW = '2026-10-24T20:00:00Z'

const db = await databaseOfFile()
const { sql } = db.database

let fetching: FetchHarness
const start = async (options: Partial<FetchingOptions> = {}) => {
  await sql`truncate price_intervals, price_interval_revisions, daily_prices, daily_price_revisions`
  await sql`truncate source_fetching, source_requests, document_validators`
  fetching = await startFetching({ now: NOW, db, ...options })
  return fetching
}
afterEach(() => fetching[Symbol.asyncDispose]())

it('the second source of imbalance prices is requested only for days that the first source does not cover', async () => {
  const { ctx } = await start()
  const fallback = ctx.sources.find('entsoe-imbalance')
  if (fallback === undefined) throw new Error('entsoe-imbalance is off')
  const days = ['2026-10-22', '2024-06-01'].map((text) => Temporal.PlainDate.from(text))
  expect((await notCoveredByHigherPriority(ctx, fallback, days)).map(String)).toEqual(['2024-06-01'])
})

it('a day with a missing zone is stored for the complete zones and reported as incomplete', async () => {
  const whole = plainTruth()
  const zones: typeof whole.zones = (day, at) =>
    new Map([...(whole.zones(day, at) ?? [])].filter(([zone]) => zone !== 'sard'))
  const { ingest } = await start({ truth: { ...whole, zones } })
  const report = await ingest('gme-mgp', DAY)
  expect(report).toMatchObject({ outcome: 'incomplete', counts: { stored: 700 } })
  expect(report.missingDays.map(String)).toEqual([DAY])
})

describe('an unchanged document', () => {
  it('is requested conditionally, except by a backfill', async () => {
    const { ingest, publishers } = await start({ gme: 'public' })
    expect(await ingest('eex-eua', '2026-10-22')).toMatchObject({ outcome: 'complete', counts: { unchanged: 0 } })
    const second = await ingest('eex-eua', '2026-10-22')
    expect(second).toMatchObject({ outcome: 'complete', counts: { unchanged: 0, stored: 0 } })
    const again = await ingest('eex-eua', '2026-10-22', { conditional: false })
    expect(again.counts.unchanged).toBeGreaterThan(100)
    const asked = publishers.server('eex-eua').requests.map(({ headers }) => headers['if-none-match'])
    expect(asked).toEqual([undefined, expect.any(String), undefined])
  })

  it('is requested unconditionally until it has been accepted', async () => {
    const { ingest, publishers } = await start()
    publishers.setFault('eex-eua', 'changed-columns')
    for (let n = 0; n < 2; n++) expect(await ingest('eex-eua', '2026-10-22')).toMatchObject({ outcome: 'incomplete' })
    const asked = publishers.server('eex-eua').requests.map(({ headers }) => headers['if-none-match'])
    expect(asked).toEqual([undefined, undefined])
  })
})

it('the daily request budget persists across restarts and is reset on the next day', async () => {
  const env = { EIA_BRENT_REQUESTS_PER_DAY: '2' }
  const { ctx, ingest, publishers, fetcher, setNow } = await start({ env })
  const config = readConfig({ ...publishers.env, ...env })
  const restarted = sourceRegistry({ config, clock: ctx.clock, sql })
  await ingest('eia-brent', '2026-10-14')
  await ingest('eia-brent', '2026-10-15', { ctx: { ...ctx, sources: restarted } })
  for (const sources of [ctx.sources, restarted])
    await expect(ingest('eia-brent', '2026-10-16', { ctx: { ...ctx, sources } })).rejects.toBeInstanceOf(BudgetSpent)
  expect(publishers.server('eia-brent').requests).toHaveLength(2)
  expect(fetcher('eia-brent').politeness.requestsPerDay).toBe(2)
  setNow('2026-10-25T08:00:00Z')
  expect(await ingest('eia-brent', '2026-10-16')).toMatchObject({ outcome: 'complete' })
  await restarted[Symbol.asyncDispose]()
})

it("GME's token is reused until it expires, then renewed", async () => {
  const { ingest, publishers } = await start({ gmeTokenLife: 2 })
  for (const day of ['2026-10-20', '2026-10-21', '2026-10-22']) {
    expect(await ingest('gme-mgp', day)).toMatchObject({ outcome: 'complete' })
  }
  const asked = publishers.server('gme-mgp').requests.map(({ url }) => url.pathname.split('/').at(-1))
  expect(asked).toEqual(['Auth', 'RequestData', 'RequestData', 'RequestData', 'Auth', 'RequestData'])
})

it('paginated responses are read until all rows have been received', async () => {
  const { ingest, publishers } = await start({ eiaPageRows: 10 })
  expect(await ingest('eia-brent', '2026-09-01/2026-10-15')).toMatchObject({ outcome: 'complete' })
  const offsets = publishers.server('eia-brent').requests.map(({ url }) => url.searchParams.get('offset'))
  expect(offsets).toEqual(['0', '10', '20', '30'])
})

it('a source that cannot be used is off, with the reason logged at start-up, and does not affect the others', async () => {
  const { ctx, publishers, logText } = await start()
  const settings = { ENTSOE_TOKEN: '', SOURCES: 'entsoe,eex-eua', EEX_EUA_REDISTRIBUTABLE: 'true' }
  const config = readConfig({ ...publishers.env, ...settings })
  await using sources = sourceRegistry({ config, clock: ctx.clock, sql })
  await announceSources({ config, database: ctx.database, sources, log: ctx.log })
  expect(sources.enabled.map(({ source }) => source)).toEqual(['eex-eua'])
  const lines = logText().trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'source_on', source: 'eex-eua', way: 'yearly workbook', name: 'sources' },
    { event: 'source_off', source: 'entsoe', reason: 'ENTSOE_TOKEN is not set', level: 'warn' },
  ])
  const states = await listSourceFetching(sql)
  const of = (id: string) => states.find(({ source }) => source === id)
  expect(of('entsoe')).toMatchObject({ state: 'off', reason: 'ENTSOE_TOKEN is not set', redistributable: true })
  expect(of('eex-eua')).toMatchObject({ state: 'on', redistributable: true })
  expect(of('eex-ttf')).toMatchObject({ state: 'off', reason: 'SOURCES does not name it', redistributable: false })
  for (const secret of Object.values(CREDENTIALS)) expect(logText()).not.toContain(secret)
})

it("GME's markets share the interval and the hourly limit of their account", async () => {
  const usual = { GME_MGP_INTERVAL_MS: '', GME_MGAS_INTERVAL_MS: '', GME_INTRADAY_INTERVAL_MS: '' }
  const { ingest, pauses } = await start({ env: usual })
  for (let day = 10; day < 20; day++) {
    await ingest('gme-mgp', `2026-10-${day}`)
    await ingest('gme-intraday', `2026-10-${day}`)
  }
  expect(pauses).toHaveLength(2 + 10 + 40 - 1)
  expect(Math.max(...pauses)).toBeGreaterThan(300_000) // seven seconds for each of 52 requests; intraday alone has 41
})
