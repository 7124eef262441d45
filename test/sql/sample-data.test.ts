/** Synthetic values are removed with the first value of a publisher: everywhere, at once, in its transaction, and permanently. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { throwUnlessSampleEnded } from '../../jobs/issue-forecasts.ts'
import type { Context } from '../../src/service/context.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { publishBulkFile } from '../../src/store/bulk-files.ts'
import type { Sql } from '../../src/store/database.ts'
import { scoreForecasts } from '../../src/store/forecast-ledger.ts'
import { saveTraining } from '../../src/store/forecast-models.ts'
import { compressOldChunks } from '../../src/store/maintenance.ts'
import { refreshOfferIndices } from '../../src/store/offer-indices.ts'
import { writePrices } from '../../src/store/price-writer.ts'
import { sampleData } from '../../src/store/sample-data.ts'
import { createAlert, detectCrossingsAt, issueKeyFor, newSecretBox, testAlertService } from '../support/alerts.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { seedIssue, trainedArtefact } from '../support/forecasts.ts'
import { seedOffers } from '../support/offers.ts'
import { startPlainServer, untilBlockedByLock } from '../support/plain-server.ts'
import { hasPostgres, needsPostgres } from '../support/postgres-cluster.ts'
import { dailyPrice, storePrices, zoneDay } from '../support/prices.ts'
import { recordedLog } from '../support/recorded-log.ts'

const NOW = Temporal.Instant.from('2026-10-24T14:00:00Z')
const SAMPLE = { source: 'sample', at: NOW }
const REAL = { at: NOW.add({ minutes: 1 }) }
const change = ['2026-03-29', '2026-10-25']
const OFFERS = Array.from({ length: 6 }, (_, i) => ({ supplier: i, code: `O${i}`, prices: 0.1 + i / 100 }))

let db: TestDatabase
let sql: Sql
const refill = async () => {
  await db?.stop()
  db = await testDatabase()
  sql = db.database.sql
  await fill()
}
afterAll(() => db?.stop())

/** Some of everything that a service with sample data stores. */
async function fill(): Promise<void> {
  const days = [...change, '2023-03-26'].flatMap((day) => [
    zoneDay('nazionale', day, day < '2025-10-01' ? 60 : 15, () => 120),
    zoneDay('nord', day, day < '2025-10-01' ? 60 : 15, () => 118),
  ])
  await storePrices(sql, [...days, dailyPrice('PSV', '2026-10-24', 31), dailyPrice('TTF', '2026-10-23', 30)], SAMPLE)
  await storePrices(sql, [zoneDay('nord', '2026-10-25', 15, () => 119), dailyPrice('TTF', '2026-10-23', 29)], SAMPLE)
  await seedOffers(sql, OFFERS, { day: '2026-10-24', source: 'sample' })
  const alerts = testAlertService({ sql, clock: { now: () => NOW }, secrets: newSecretBox(), ports: [] })
  await createAlert(alerts, await issueKeyFor(sql), { webhookUrl: 'https://receiver.test/hook' })
  await refreshAggregates(sql)
  await refreshOfferIndices(sql, NOW)
  await detectCrossingsAt(sql, NOW)
  await seedIssue(sql, { asset: 'PSV', chain: 'sample', infoDate: '2026-10-24', issuedAt: NOW.toString(), days: 5 })
  await storePrices(sql, [dailyPrice('PSV', '2026-10-25', 32)], SAMPLE)
  await scoreForecasts(sql, 'PSV', NOW)
  await saveSyntheticTraining()
  await publishBulkFile(sql, {
    ...{ name: 'prices-daily-of-sample.parquet', dataset: 'prices-daily', format: 'parquet', schemaVersion: 1 },
    ...{ rows: 1, bytes: 1, sha256: '0'.repeat(64), firstDay: '2026-03-29', lastDay: '2026-10-25' },
    ...{ sourceIds: ['sample'], generatedAt: NOW },
  })
  await compressOldChunks(sql, '2026-08-01')
}

function saveSyntheticTraining(): Promise<void> {
  const about = { asset: 'PUN', synthetic: true } as const
  const forecast = { role: 'published', model: 'base', version: '1', p10: 1, p50: 2, p90: 3, actual: 2 } as const
  return saveTraining(sql, {
    artefacts: [trainedArtefact('2026-10-24', { ...about, model: 'base' })],
    decision: { ...about, model: 'base', decidedAt: NOW, reason: 'a test', metrics: {} },
    replay: {
      ...{ ...about, codeVersion: 'test', purpose: 'accuracy', madeAt: NOW },
      forecasts: [{ ...forecast, issuedAt: NOW, infoDate: '2026-10-23', targetDate: '2026-10-24' }],
    },
  })
}

/** Number of synthetic rows by table and aggregate, whichever column marks them; tables without any are left out. */
async function syntheticRows(): Promise<Record<string, number>> {
  const columns = await sql`
    select c.table_name as name, string_agg(
      case
        when c.column_name = 'synthetic' then 'synthetic'
        when c.column_name = 'chain' then 'chain = ''sample'''
        when c.data_type = 'ARRAY' then format('''sample'' = any (%I)', c.column_name)
        else format('%I = ''sample''', c.column_name)
      end, ' or ') as condition
    from information_schema.columns c
    where c.table_schema = 'public' and c.table_name <> 'sources'
      and (c.column_name ~ '^((reference_)?sources?(_first|_last)?|synthetic|chain)$')
    group by c.table_name`
  const found: Record<string, number> = {}
  for (const { name, condition } of columns) {
    const [row] = await sql.unsafe(`select count(*) as n from ${name} where ${condition}`)
    if (row?.n) found[name] = row.n
  }
  return found
}

const isShown = async () => (await sql`select from analytics.price_index where is_synthetic`).length > 0

describe('sample data', () => {
  beforeAll(refill)

  it('exist in every table that can contain them, and in the views', async () => {
    expect(Object.keys(await syntheticRows()).sort()).toEqual([
      ...['bulk_files', 'changes', 'daily_price_revisions', 'daily_prices', 'documents'],
      ...['forecast_accuracy', 'forecast_actuals', 'forecast_artefacts', 'forecast_promotions', 'forecast_replays'],
      ...['forecast_scores', 'forecasts', 'offer_days', 'offer_days_in_use', 'offer_index_days', 'offers'],
      ...['price_interval_revisions', 'price_intervals', 'zone_bands_monthly', 'zone_day_part_bands'],
      ...['zone_prices_daily', 'zone_prices_day_parts', 'zone_prices_hourly', 'zone_prices_yearly'],
    ])
    expect(await isShown()).toBe(true)
  })

  it('remain if a document is refused as a whole or storing fails half-way', async () => {
    const before = await syntheticRows()
    const document = { sha256: 'f'.repeat(64), address: 'bad.csv', bytes: 1, fetchedAt: REAL.at }
    const refused = {
      ...{ series: 'asset:PSV', day: '2026-10-24', resolutionMinutes: null, prices: [9999] },
      faults: [{ code: 'price_out_of_limits' as const, place: 'PSV', detail: 'too much' }],
    }
    const batch = { source: 'gme-mgas', storedAt: REAL.at, zoneDays: [], dailyPrices: [] }
    await writePrices(sql, { ...batch, refused: [{ item: refused, document, observedAt: REAL.at }] })
    const item = { ...dailyPrice('PSV', '2026-10-24', 30), asset: 'COAL' as never }
    const ofCoal = { item, document, observedAt: REAL.at }
    await expect(writePrices(sql, { ...batch, dailyPrices: [ofCoal], refused: [] })).rejects.toThrow('unknown asset')
    expect(await syntheticRows()).toEqual(before)
    expect(await sampleData('auto', db.database).enabled()).toBe(true)
  })

  it('are gone with the first price of a publisher, before any refresh', async () => {
    await storePrices(sql, [dailyPrice('PSV', '2026-10-24', 40)], { source: 'gme-mgas', ...REAL })
    expect(await syntheticRows()).toEqual({})
    expect(await isShown()).toBe(false)
    expect([...(await sql`select asset, price from analytics.price_index`)]).toEqual([{ asset: 'PSV', price: 40 }])
    expect([...(await sql`select 1 from webhooks`)]).toHaveLength(1)
    const end = await sampleData('auto', db.database).end()
    // For two zones, a day of 23 hours in quarter-hours, one of 25, and one of 23 in hours; plus three daily prices.
    expect(end).toEqual({ at: REAL.at, removedPrices: 2 * (92 + 100 + 23) + 3 })
  })

  it('are refused afterwards, as is anything computed from them', async () => {
    const over = "a publisher's values are stored"
    await expect(storePrices(sql, [dailyPrice('TTF', '2026-10-24', 1)], SAMPLE)).rejects.toThrow(over)
    await expect(storePrices(sql, [zoneDay('nord', '2026-10-25', 15, () => 1)], SAMPLE)).rejects.toThrow(over)
    await expect(seedOffers(sql, OFFERS, { day: '2026-10-24', source: 'sample' })).rejects.toThrow(over)
    const issue = { asset: 'PSV', infoDate: '2026-10-24', issuedAt: NOW.toString(), days: 2 } as const
    const refused = await seedIssue(sql, { ...issue, chain: 'sample' }).catch((err: unknown) => err)
    expect(refused).toMatchObject({ message: expect.stringContaining(over) })
    await expectOneLine(refused)
    await expect(saveSyntheticTraining()).rejects.toThrow(over)
    expect(await syntheticRows()).toEqual({})
    expect(await sampleData('auto', db.database).enabled()).toBe(false)
    expect(await seedIssue(sql, issue)).toBeGreaterThan(0)
    const [first] = await sql`select sequence, chain from forecasts order by sequence limit 1`
    expect(first).toEqual({ sequence: 1, chain: 'issued' })
  })

  it('leave alerts that treat their first real day as their first day', async () => {
    await storePrices(sql, [zoneDay('nazionale', '2026-10-25', 15, () => 130)], REAL)
    await refreshAggregates(sql)
    const [daily] = await sql`select price_eur_mwh, intervals from zone_prices_daily where zone = 'nazionale'`
    expect(daily).toEqual({ price_eur_mwh: 130, intervals: 100 })
    await detectCrossingsAt(sql, REAL.at)
    const events = await sql`select market_day, price_eur_mwh from webhook_events`
    expect([...events]).toEqual([{ market_day: '2026-10-25', price_eur_mwh: 130 }])
  })
})

describe('removal of sample data', () => {
  beforeEach(refill)

  it('is triggered by a list of offers', async () => {
    await seedOffers(sql, OFFERS, { day: '2026-10-24' })
    expect(await syntheticRows()).toEqual({})
    const changes = await sql`select kind from changes order by position`
    expect(changes.map(({ kind }) => kind)).toEqual(['dataset.reset', 'offers.updated'])
  })

  it('is triggered by a refused day that an operator accepts', async () => {
    await sql`
      with d as (
        insert into documents (sha256, source, address, bytes, fetched_at)
        values (${'e'.repeat(64)}, 'gme-mgas', 'psv.csv', 1, ${NOW.toString()}::timestamptz) returning id
      )
      insert into quarantined_days (document_id, source, series, market_day, reasons, details, prices, quarantined_at)
      select id, 'gme-mgas', 'asset:PSV', '2026-10-24', '{price_out_of_limits}', '{}', '{900}', ${NOW.toString()}::timestamptz from d`
    await sql`select accept_quarantined_day((select min(id) from quarantined_days), ${REAL.at.toString()}::timestamptz)`
    expect(await syntheticRows()).toEqual({})
  })

  it('is complete even while the sample publisher is storing data', async () => {
    let real: Promise<unknown> = Promise.resolve()
    await sql.begin(async (tx) => {
      await storeInOpenTransaction(tx as unknown as Sql)
      real = storePrices(sql, [dailyPrice('PSV', '2026-10-24', 40)], { source: 'gme-mgas', ...REAL })
      await new Promise((resolve) => setTimeout(resolve, 100))
    })
    await real
    expect(await syntheticRows()).toEqual({})
  })

  it('happens once, however many publishers deliver first concurrently', async () => {
    await Promise.all([
      storePrices(sql, [dailyPrice('PSV', '2026-10-24', 40)], { source: 'gme-mgas', ...REAL }),
      storePrices(sql, [dailyPrice('TTF', '2026-10-24', 41)], { source: 'eex-ttf', ...REAL }),
      seedOffers(sql, OFFERS, { day: '2026-10-24' }),
    ])
    expect(await syntheticRows()).toEqual({})
    expect((await sql`select asset from daily_prices order by 1`).map(({ asset }) => asset)).toEqual(['PSV', 'TTF'])
    expect((await sampleData('auto', db.database).end())?.removedPrices).toBeGreaterThan(0)
  })

  it('is triggered by switching them off, and is reversible until a publisher delivers', async () => {
    expect(await sampleData('off', db.database).remove()).toBeGreaterThan(0)
    expect(await syntheticRows()).toEqual({})
    expect(await sampleData('off', db.database).remove()).toBe(0)
    expect(await sampleData('off', db.database).enabled()).toBe(false)
    expect(await sampleData('auto', db.database).enabled()).toBe(true)
  })
})

describe.skipIf(!hasPostgres)(needsPostgres('two processes'), () => {
  it('publish sample data one after the other, the second even if the first fails', async () => {
    await using server = await startPlainServer({ poolSize: 3 })
    const { publishAlone } = sampleData('auto', server.database)
    const started: string[] = []
    const failing = Promise.withResolvers<void>()
    const first = publishAlone(() => {
      started.push('first')
      return failing.promise
    })
    await expect.poll(() => started).toEqual(['first'])
    const second = publishAlone(async () => void started.push('second'))
    await untilBlockedByLock(server.database)
    expect(started).toEqual(['first'])
    failing.reject(new Error('the first one ends'))
    await expect(first).rejects.toThrow('the first one ends')
    await second
    expect(started).toEqual(['first', 'second'])
  })
})

/** The writes of the sample publisher's transaction before a real publisher overtakes it. */
async function storeInOpenTransaction(tx: Sql): Promise<void> {
  const [document] = await tx`
    insert into documents (sha256, source, address, bytes, fetched_at)
    values (${'d'.repeat(64)}, 'sample', 'sample:late', 1, ${NOW.toString()}::timestamptz) returning id`
  await tx`
    select store_daily_prices('{TTF}', '{2026-10-24}', '{33}', ${[NOW.toString()]}::timestamptz[], ${[document?.id]}::bigint[], 'sample',
      ${NOW.toString()}::timestamptz)`
}

/** The issuing job ends quietly if a publisher was first, and fails as usual on any other error. */
async function expectOneLine(refused: unknown): Promise<void> {
  const { log, lines, text } = recordedLog()
  const ctx = { log, sampleData: sampleData('auto', db.database) } as unknown as Context
  await throwUnlessSampleEnded(ctx, refused)
  expect(lines()).toHaveLength(1)
  expect(text()).not.toContain('stack')
  await expect(throwUnlessSampleEnded(ctx, new Error('another'))).rejects.toThrow('another')
}
