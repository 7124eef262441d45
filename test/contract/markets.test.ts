import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { importFiles } from '../../src/ingest/import-files.ts'
import type { FundamentalArea, FundamentalSeries } from '../../src/market/fundamentals.ts'
import { readWorkbook } from '../../src/publishers/reading/workbook.ts'
import { fundamentalDay, storeFundamentals } from '../support/fundamentals.ts'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'
import { needsSharedData, sharedData } from '../support/shared-data.ts'

const NOW = '2026-11-21T17:30:00Z'
const TERNA = 'raw/terna/Prezzi_Giornalieri_Quarto_Orario_20250805.xlsx'
const MI1 = 'raw/gme/20210902MI1Prezzi.xml'

const service = await serviceOfFile({ now: NOW })
const { authorization } = await service.asPlan('API')
await imbalance('-preliminary', '2026-11-20', 90, '2026-11-21T01:10:00Z')
await imbalance('', '2026-11-20', 95, '2026-11-21T16:05:00Z')
await imbalance('-preliminary', '2026-11-19', 80, '2026-11-20T01:10:00Z')
for (const day of ['2026-03-29', '2026-10-25']) {
  await store('mi-a1-price', 'nord', [day, (n) => n, 15], 'gme-intraday', `${day}T08:00:00Z`)
}
await store('mi-a3-price', 'nord', ['2026-11-21', (n) => (n > 48 ? n : undefined), 15], 'gme-intraday')
await store('xbid-price', 'sard', ['2026-11-20', (n) => (n <= 3 ? n : undefined), 15], 'gme-intraday')
await store('xbid-hour-price', 'sard', ['2026-11-20', (n) => (n === 1 ? 77 : undefined), 60], 'gme-intraday')
await service.seed([zoneDay('sud', '2026-11-20', 15, () => 100), zoneDay('nord', '2026-11-20', 15, () => 94)])

type Rule = [day: string, valueAt: (ordinal: number) => number | undefined, minutes: 15 | 60]

function store(
  series: FundamentalSeries,
  area: FundamentalArea,
  rule: Rule,
  source: string,
  at = '2026-11-21T09:00:00Z',
) {
  return storeFundamentals(service.sql, [fundamentalDay(`${series}/${area}`, ...rule)], { source, at })
}

/** Stores imbalance prices of macro-sud, equal in all quarter-hours. */
async function imbalance(suffix: '' | '-preliminary', day: string, price: number, at: string) {
  const source = suffix === '' ? 'terna-imbalance' : 'terna-imbalance-preliminary'
  for (const [part, value] of [
    ['price', price],
    ['base-price', price - 2],
    ['incentive', 2],
  ] as const)
    await store(`imbalance-${part}${suffix}`, 'macro-sud', [day, () => value, 15], source, at)
}

const ask = (address: string) => service.ask(`/v1/markets${address}`, { headers: { authorization } })
const pointsOf = async (address: string) => (await ask(address)).json().points as Record<string, unknown>[]

describe('GET /v1/markets/{market}/prices', () => {
  it('200 with the final imbalance prices and their components, by default of the latest day', async () => {
    const { points, ...about } = (await ask('/imbalance/prices?zone=macro-sud')).json()
    expect(about).toMatchObject({
      market: 'imbalance',
      zone: 'macro-sud',
      from: '2026-11-20',
      count: 96,
      source: 'Terna S.p.A.',
    })
    expect((points as unknown[])[95]).toEqual({
      ...{ date: '2026-11-20', starts_at: '2026-11-20T23:45:00+01:00', minutes: 15, value: 95, status: 'final' },
      ...{ base_price: 93, incentive_component: 2, known_at: '2026-11-21T16:05:00Z' },
    })
  })

  it('200 with preliminary imbalance prices until final ones are published, also with as_of', async () => {
    const span = 'zone=macro-sud&from=2026-11-19&to=2026-11-20'
    const states = (points: Record<string, unknown>[]) => [
      ...new Set(points.map(({ value, status }) => `${value} ${status}`)),
    ]
    expect(states(await pointsOf(`/imbalance/prices?${span}`))).toEqual(['80 preliminary', '95 final'])
    const then = await pointsOf(`/imbalance/prices?${span}&as_of=2026-11-21T10:00:00Z`)
    expect(states(then)).toEqual(['80 preliminary', '90 preliminary'])
    expect((await ask(`/imbalance/prices?${span}&as_of=2026-11-19T00:00:00Z`)).status).toBe(404)
  })

  it.each([
    ['2026-03-29', 92, 23, '2026-03-29T23:45:00+02:00'],
    ['2026-10-25', 100, 25, '2026-10-25T23:45:00+01:00'],
  ])('200 on the change day %s', async (day, quarters, hours, last) => {
    const points = await pointsOf(`/mi-a1/prices?date=${day}`)
    expect(points).toHaveLength(quarters)
    expect(points.at(-1)).toMatchObject({ starts_at: last, value: quarters })
    expect(await pointsOf(`/mi-a1/prices?date=${day}&granularity=hour`)).toHaveLength(hours)
  })

  it('200 with only the intervals that the auction covers or that were traded', async () => {
    const points = await pointsOf('/mi-a3/prices')
    expect([points.length, points[0]?.starts_at]).toEqual([48, '2026-11-21T12:00:00+01:00'])
    expect(await pointsOf('/xbid/prices?zone=sard')).toHaveLength(3)
    expect(await pointsOf('/xbid/prices?zone=sard&granularity=hour')).toMatchObject([{ minutes: 60, value: 77 }])
  })

  it('200 for all zones, each point with its zone', async () => {
    await store('mi-a1-price', 'sard', ['2026-10-25', (n) => -n, 15], 'gme-intraday', '2026-10-25T08:00:00Z')
    const points = await pointsOf('/mi-a1/prices?zone=all&date=2026-10-25')
    expect(points).toHaveLength(200)
    const last = { starts_at: '2026-10-25T23:45:00+01:00', minutes: 15 }
    expect(points.slice(-2)).toMatchObject([
      { zone: 'nord', value: 100, ...last },
      { zone: 'sard', value: -100, ...last },
    ])
    const { text } = await ask('/mi-a1/prices?zone=all&date=2026-10-25&granularity=hour&format=csv')
    expect(text.split('\r\n')[2]).toMatch(/^mi-a1;sard;2026-10-25;2026-10-25T00:00:00\+02:00;60;-2.5;/)
  })

  it('200 as CSV', async () => {
    const { text } = await ask('/imbalance/prices?zone=macro-sud&date=2026-11-20&format=csv')
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      'market;zone;date;starts_at;minutes;value;base_price;incentive_component;imbalance_mwh;status;known_at',
      'imbalance;macro-sud;2026-11-20;2026-11-20T00:00:00+01:00;15;95;93;2;;final;2026-11-21T16:05:00Z',
    ])
  })

  it.each([
    ['/imbalance/prices?zone=nord', 400, /must be one of macro-nord, macro-sud/],
    ['/mi-a1/prices?zone=macro-nord', 400, /must be one of nord, /],
    ['/mi-a1/prices?date=2026-03-29&from=2026-03-29&to=2026-03-29', 400, /cannot be combined/],
    ['/mi-a1/prices?from=2026-01-01&to=2026-06-01', 400, /at most 92 days/],
    ['/mi-a1/prices?zone=all&from=2026-10-01&to=2026-11-01', 400, /at most 30 days/],
    ['/mi-a2/prices?zone=all&date=2026-03-29', 404, /no prices of mi-a2 in any zone/],
    ['/mi-a2/prices?date=2026-03-29', 404, /no prices of mi-a2 in nord for 2026-03-29/],
    ['/xbid-hour/prices?zone=sard&granularity=quarter', 404, /none of that granularity/],
    ['/mi-a2/prices?date=2026-11-22', 503, /The price of mi-a2/],
    ['/mi7/prices', 404, /no prices of mi7 in nord for 2026-11-21. The auction was held until 2021-09-21\.$/],
  ])('%s: %d', async (address, status, message) => {
    const answer = await ask(address)
    expect([answer.status, answer.json().message]).toEqual([status, expect.stringMatching(message)])
  })
})

it.each([
  ['mi-a1/prices?date=2026-11-23', '2026-11-22T14:30:00Z'],
  ['mi-a2/prices?date=2026-11-22', '2026-11-21T21:30:00Z'],
  ['mi-a2/prices?from=2026-11-20&to=2026-11-22', '2026-11-21T21:30:00Z'],
  ['mi-a3/prices?date=2026-11-22', '2026-11-22T09:30:00Z'],
  ['xbid/prices?date=2026-11-21&zone=nord', '2026-11-22T01:00:00Z'],
  ['imbalance/prices?zone=macro-nord&date=2026-11-23', '2026-11-24T16:00:00Z'],
])('503 of %s asks to retry at the usual publication of that market and day, %s', async (address, expected) => {
  const { status, headers } = await ask(`/${address}`)
  const seconds = Temporal.Instant.from(NOW).until(Temporal.Instant.from(expected)).total('seconds')
  expect([status, headers.get('retry-after')]).toEqual([503, String(seconds)])
})

describe('GET /v1/markets/{market}/spreads', () => {
  it('200 with the macrozone’s imbalance price relative to the zone’s day-ahead price', async () => {
    const body = (await ask('/imbalance/spreads?zone=sud')).json()
    expect(body).toMatchObject({ macrozone: 'macro-sud', count: 24 })
    expect((body.rows as unknown[])[0]).toEqual({
      ...{ month: '2026-11', clock_hour: 0, hours: 1, mean: -5, p10: -5, p90: -5, share_above: 0 },
    })
    expect((await ask('/imbalance/spreads?zone=nord')).status).toBe(404)
  })
})

describe('GET /v1/markets', () => {
  it('200 with each market, its available days per zone, and its terms', async () => {
    const markets = (await ask('')).json().markets as { market: string; zones: unknown[]; terms: string }[]
    expect(markets).toHaveLength(13)
    expect(markets.find(({ market }) => market === 'imbalance')).toMatchObject({
      zones: [{ zone: 'macro-sud', from: '2026-11-19', to: '2026-11-20', resolution_minutes: 15 }],
      terms: expect.stringContaining('consent of Terna'),
    })
  })
})

describe('changes of market prices', () => {
  it('report each day with the URL of its prices', async () => {
    const answer = await service.ask('/v1/changes?dataset=markets', { headers: { authorization } })
    const changes = answer.json().changes as { kind: string; url: string; details: { series: string } }[]
    expect(changes.find(({ details }) => details.series === 'imbalance-price')).toMatchObject({
      kind: 'day.published',
      url: expect.stringMatching(/\/v1\/markets\/imbalance\/prices\?zone=all&date=2026-11-20$/),
    })
  })

  it('have URLs that return every corrected zone', async () => {
    const zones = ['nord', 'sud'] as const
    const days = (value: number) =>
      zones.map((zone) => fundamentalDay(`mi-a2-price/${zone}`, '2026-11-20', () => value, 60))
    const write = (value: number, at: string) =>
      storeFundamentals(service.sql, days(value), { source: 'gme-intraday', at })
    await write(10, '2026-11-21T10:00:00Z')
    const asJson = async (address: string) => (await service.ask(address, { headers: { authorization } })).json()
    const { next } = (await asJson('/v1/changes?dataset=markets')) as { next: string }
    await write(20, '2026-11-21T12:00:00Z')
    const { changes } = (await asJson(`/v1/changes?dataset=markets&since=${next}`)) as { changes: { url: string }[] }
    const copy = new Map<unknown, unknown>()
    for (const { url } of changes) {
      const { pathname, search } = new URL(url)
      const { points } = (await asJson(pathname + search)) as { points: Record<string, unknown>[] }
      for (const { zone, value } of points) copy.set(zone, value)
    }
    expect(copy).toEqual(new Map(zones.map((zone) => [zone, 20])))
  })
})

describe.skipIf(sharedData(TERNA) === undefined)(needsSharedData('real documents'), () => {
  it('are stored only once, with the values of the workbook cells', async () => {
    const paths = [sharedData(TERNA) as string, sharedData(MI1) as string]
    const load = () => importFiles({ database: service.database, clock: service.service.clock, paths })
    expect(await load()).toMatchObject({ stored: 3 * 192 + 7 * 24, unchanged: 0, refused: [] })
    expect(await load()).toMatchObject({ stored: 0, unchanged: 3 * 192 + 7 * 24 })
    const [sheet] = await readWorkbook(await readFile(paths[0] as string))
    const north = sheet?.rows.filter(({ cells }) => cells.get(1) === 'NORD').map(({ cells }) => cells.get(4))
    const points = await pointsOf('/imbalance/prices?date=2025-08-05')
    expect(points.map(({ value }) => value)).toEqual(north)
    expect(await pointsOf('/mi1/prices?zone=sud&date=2021-09-02')).toMatchObject([
      { value: 145.24, minutes: 60 },
      ...new Array(23).fill({}),
    ])
  })
})
