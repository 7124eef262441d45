import { beforeAll, describe, expect, it } from 'vitest'
import type { TrackRecord } from '../../../src/api/contract/forecasts.ts'
import { isReplay, parseLedgerRow } from '../../../src/delivery/bulk/ledger-csv.ts'
import { ledgerHash } from '../../../src/market/ledger.ts'
import { scoreForecasts } from '../../../src/store/forecast-ledger.ts'
import { type ReplayedForecast, saveReplay } from '../../../src/store/forecast-replays.ts'
import { seedIssue } from '../../support/forecasts.ts'
import { dailyPrice } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'

const service = await serviceOfFile({ now: '2026-11-10T13:00:00Z' })
// Five issues on successive days; the price is 102 each day, except 0.4 on the third.
for (const [i, day] of ['01', '02', '03', '04', '05'].entries()) {
  const infoDate = `2026-11-${day}`
  await service.seed([dailyPrice('PUN', infoDate, i === 2 ? 0.4 : 102)])
  const issuedAt = `${infoDate}T12:00:00Z`
  await seedIssue(service.sql, { asset: 'PUN', infoDate, issuedAt, p50: () => 100 + i, days: 10 })
}
await scoreForecasts(service.sql, 'PUN', Temporal.Instant.from('2026-11-05T13:00:00Z'))
await service.seed([dailyPrice('PUN', '2026-11-10', 102)])

const ask = (query: string) => service.ask(`/v1/forecast/track-record${query}`)
const recordOf = async (query: string) => (await ask(query)).json() as unknown as TrackRecord
async function csvRowsOf(query: string): Promise<Record<string, string>[]> {
  const [header = '', ...lines] = (await ask(`${query}&format=csv`)).text.trimEnd().split('\r\n')
  const columns = header.split(';')
  return lines.map((line) => Object.fromEntries(line.split(';').map((cell, i) => [columns[i], cell])))
}

describe('the track record', () => {
  it('shows for each day the last forecast before it and the actual price', async () => {
    const { records, ...about } = await recordOf('?from=2026-11-02&to=2026-11-08')
    expect(about).toMatchObject({ asset: 'PUN', unit: '€/MWh', from: '2026-11-02', to: '2026-11-08', count: 7 })
    expect(records.map((one) => [one.target_date, one.horizon_days, one.p50, one.actual])).toEqual([
      ['2026-11-02', 1, 100, 102],
      ['2026-11-03', 1, 101, 0.4],
      ['2026-11-04', 1, 102, 102],
      ['2026-11-05', 1, 103, 102],
      ['2026-11-06', 1, 104, undefined],
      ['2026-11-07', 2, 104, undefined],
      ['2026-11-08', 3, 104, undefined],
    ])
    expect(records[0]).toMatchObject({ error: -2, abs_pct_error: 0.019608, in_band: true })
    expect(records[1]).toMatchObject({ error: 100.6, in_band: false })
    expect(records[1]).not.toHaveProperty('abs_pct_error')
  })

  it('summarises its errors and those of the benchmark', async () => {
    expect((await recordOf('?from=2026-11-02&to=2026-11-08')).summary).toMatchObject({
      n: 4,
      mae: (2 + 100.6 + 0 + 1) / 4,
      mape: expect.closeTo((2 + 0 + 1) / 102 / 3, 5),
      mape_left_out: 1,
      mape_30d: expect.closeTo((2 + 0 + 1) / 102 / 3, 5),
      bias: (-2 + 100.6 + 0 + 1) / 4,
      coverage_80: 0.75,
      benchmark: { name: 'walk', mae: (1 + 103.6 + 3 + 4) / 4, coverage_80: 0.75 },
    })
  })

  it('shows the requested horizon', async () => {
    const { records, horizon_days } = await recordOf('?from=2026-11-02&to=2026-11-08&horizon=3')
    expect(horizon_days).toBe(3)
    expect(records.map((one) => [one.target_date, one.p50])).toEqual([
      ['2026-11-04', 100],
      ['2026-11-05', 101],
      ['2026-11-06', 102],
      ['2026-11-07', 103],
      ['2026-11-08', 104],
    ])
  })

  it('publishes the last hash of each day; the newest is the head', async () => {
    const { ledger } = await recordOf('?from=2026-11-01&to=2026-11-08')
    expect(ledger).toMatchObject({ chain: 'issued', length: 100 })
    expect(ledger.days.map(({ date, sequence }) => [date, sequence])).toEqual(
      ['01', '02', '03', '04', '05'].map((day, i) => [`2026-11-${day}`, 20 * (i + 1)]),
    )
    expect(ledger.days.at(-1)?.hash).toBe(ledger.head)
  })

  it('is available as CSV, and each row reproduces its hash', async () => {
    const rows = await csvRowsOf('?from=2026-11-02&to=2026-11-08')
    expect(rows).toHaveLength(7)
    for (const row of rows) expect(ledgerHash(parseLedgerRow(row))).toBe(row.hash)
    const changed = parseLedgerRow({ ...rows[3], p90: '116' })
    expect(ledgerHash(changed)).not.toBe(changed.hash)
  })

  it('is empty if nothing has been issued', async () => {
    const answer = await ask('?asset=psv')
    expect(answer.json()).toMatchObject({ asset: 'PSV', count: 0, records: [], from: '2026-10-11', to: '2026-11-10' })
    expect(answer.json()).not.toHaveProperty('summary')
  })
})

describe('replays in the track record', () => {
  /** Replays for the first days of November; forecasts were also issued for the first of these days. */
  const replayed = (role: ReplayedForecast['role'], infoDate: string): ReplayedForecast => ({
    ...{ role, model: role === 'published' ? 'lear' : 'walk', version: '2+20251001', infoDate },
    ...{ p10: 90, p50: 100, p90: 110 },
    targetDate: Temporal.PlainDate.from(infoDate).add({ days: 1 }).toString(),
    ...{ actual: 101, issuedAt: Temporal.Instant.from(`${infoDate}T10:00:00Z`) },
  })
  beforeAll(async () => {
    const infoDates = Array.from({ length: 32 }, (_, i) =>
      Temporal.PlainDate.from('2026-10-01').add({ days: i }).toString(),
    )
    await saveReplay(service.sql, {
      ...{ asset: 'PUN', synthetic: false, purpose: 'accuracy', codeVersion: '1.0.0' },
      madeAt: Temporal.Instant.from('2026-11-10T12:00:00Z'),
      forecasts: infoDates.flatMap((day) => [replayed('published', day), replayed('benchmark', day)]),
    })
  })
  const records = (query: string) => recordOf(`?from=2026-10-31&to=2026-11-03&${query}`)

  it('are marked, have no time of issue or place in the chain, and yield to issued forecasts', async () => {
    const found = await records('')
    expect(found.records.map((one) => [one.target_date, one.basis])).toEqual([
      ['2026-10-31', 'replay'],
      ['2026-11-01', 'replay'],
      ['2026-11-02', 'live'],
      ['2026-11-03', 'live'],
    ])
    expect(found.records[0]).toMatchObject({
      ...{ as_of: '2026-10-30T10:00:00Z', made_at: '2026-11-10T12:00:00Z' },
      ...{ model: 'lear', version: '2+20251001', error: -1 },
    })
    for (const field of ['issued_at', 'sequence', 'hash', 'previous_hash', 'inputs_sha256'])
      expect(found.records[0]).not.toHaveProperty(field)
    expect(found.records[2]).not.toHaveProperty('made_at')
  })

  it('are summarised separately, with the basis named in the summary', async () => {
    expect((await records('')).summary).toMatchObject({ basis: 'replay', n: 3, mae: 1, benchmark: { name: 'walk' } })
    expect((await records('basis=live')).summary).toMatchObject({ basis: 'live', n: 2 })
    expect((await records('basis=replay')).records.map(({ basis }) => basis)).toEqual(Array(3).fill('replay'))
    expect((await records('basis=live')).records.map(({ basis }) => basis)).toEqual(['live', 'live'])
  })

  it('are included in CSV and skipped by chain verification', async () => {
    const [first = {}] = await csvRowsOf('?from=2026-10-31&to=2026-11-03')
    expect(first).toMatchObject({ basis: 'replay', chain: '', hash: '', issued_at: '' })
    expect(isReplay(first)).toBe(true)
  })
})

describe('GET /v1/forecast/track-record', () => {
  it.each([
    ['horizon=0', 'horizon'],
    ['horizon=195', 'horizon'],
    ['from=2026-11-09&to=2026-11-08', 'from'],
  ])('400 for %s', async (query, param) => {
    expect((await ask(`?${query}`)).json()).toMatchObject({ error: 'invalid_parameter', param })
  })

  it('400 for 367 days, naming the maximum', async () => {
    expect((await ask('?to=2026-11-10&from=2025-11-10')).status).toBe(200)
    expect((await ask('?to=2026-11-10&from=2025-11-09')).json()).toMatchObject({
      ...{ error: 'invalid_parameter', param: 'to' },
      message: 'to must be at most 365 days after from (2025-11-09); the interval has 367 days.',
    })
  })
})
