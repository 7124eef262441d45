import { tableFromIPC } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import { fundamentalDay, storeFundamentals } from '../../support/fundamentals.ts'
import { serviceOfFile } from '../../support/service.ts'

const NOW = '2026-11-21T10:30:00Z' // 11:30 in Rome: the Swiss auction is published, Italy's is not
const LOAD = { source: 'entsoe-load-forecast' }
const LOAD_FORECAST = { series: 'load-forecast', name: 'Day-ahead forecast of the load', unit: 'MW' }
const SWISS_PRICES = '/day-ahead-price?area=CH&from=2026-11-22&to=2026-11-22'
const NEIGHBOURS = { source: 'entsoe-neighbours' }

const service = await serviceOfFile({ now: NOW })
const { authorization } = await service.asPlan('API')
const load = ['2026-03-29', '2026-10-25', '2026-11-21', '2026-11-22'].map((day) =>
  fundamentalDay('load-forecast/IT', day, (hour) => 25_000 + hour + 1 / 3),
)
await storeFundamentals(service.sql, load, { ...LOAD, at: '2026-11-21T09:01:11.5Z' })
const swiss = (last: number) =>
  fundamentalDay('day-ahead-price/CH', '2026-11-22', (hour) => (hour === 24 ? last : hour))
await storeFundamentals(service.sql, [swiss(24)], { ...NEIGHBOURS, at: '2026-11-21T10:12:00Z' })
await storeFundamentals(service.sql, [swiss(-1)], { ...NEIGHBOURS, at: '2026-11-21T10:20:00Z' })
const quarters = fundamentalDay('load-forecast/nord', '2026-11-22', (quarter) => quarter, 15)
const part = fundamentalDay('load-forecast/nord', '2026-11-20', (hour) => (hour < 24 ? hour : undefined))
await storeFundamentals(service.sql, [quarters, part], { ...LOAD, at: '2026-11-21T09:02:00Z' })
const simulated = fundamentalDay('wind-forecast-simulated/IT', '2023-05-01', () => 4_000)
await storeFundamentals(service.sql, [simulated], { source: 'simulated-forecasts', at: '2026-11-21T09:03:00Z' })
await service.seed([])

const ask = (path: string) => service.ask(`/v1/fundamentals${path}`, { headers: { authorization } })
const pointsOf = async (path: string) =>
  (await ask(path)).json().points as { area?: string; starts_at: string; value: number; known_at: string }[]

describe('GET /v1/fundamentals/{series}', () => {
  it('200 by default with the hours of the seven days up to tomorrow', async () => {
    const { points, ...about } = (await ask('/load-forecast')).json()
    expect(about).toEqual({
      ...{ ...LOAD_FORECAST, area: 'IT', granularity: 'hour', timezone: 'Europe/Rome' },
      ...{ from: '2026-11-16', to: '2026-11-22', count: 48 },
      source: 'ENTSO-E Transparency Platform',
      attribution: expect.stringContaining('Source: ENTSO-E Transparency Platform, via '),
    })
    expect((points as unknown[])[24]).toEqual({
      date: '2026-11-22',
      starts_at: '2026-11-22T00:00:00+01:00',
      value: 25_001.333,
      known_at: '2026-11-21T09:01:12Z',
    })
  })

  it.each([
    ['2026-03-29', 23, '2026-03-29T23:00:00+02:00', '2026-03-28T09:00:00Z'],
    ['2026-10-25', 25, '2026-10-25T23:00:00+01:00', '2026-10-24T08:00:00Z'],
  ])('200 on the change day %s, known from its publication', async (day, count, last, knownAt) => {
    const points = await pointsOf(`/load-forecast?from=${day}&to=${day}`)
    expect(points).toHaveLength(count)
    expect(points.at(-1)).toMatchObject({ starts_at: last, known_at: knownAt })
    const [mean] = await pointsOf(`/load-forecast?from=${day}&to=${day}&granularity=day`)
    expect(mean?.value).toBe(Math.round((25_000 + (count + 1) / 2 + 1 / 3) * 1000) / 1000)
  })

  it('200 with the values known at as_of', async () => {
    const last = async (asOf: string) => (await pointsOf(`${SWISS_PRICES}&as_of=${asOf}`)).at(-1)
    expect(await last('2026-11-21T10:15:00Z')).toMatchObject({ value: 24, known_at: '2026-11-21T10:12:00Z' })
    expect(await last('2026-11-21T10:25:00Z')).toMatchObject({ value: -1, known_at: '2026-11-21T10:20:00Z' })
  })

  it('200 by quarter-hour where published, and by hour computed from them', async () => {
    const span = 'area=nord&from=2026-11-22&to=2026-11-22'
    expect(await pointsOf(`/load-forecast?${span}&granularity=quarter`)).toHaveLength(96)
    expect((await pointsOf(`/load-forecast?${span}`))[1]).toMatchObject({ value: 6.5 })
  })

  it('200 for all areas, each point with its area', async () => {
    for (const granularity of ['hour', 'day', 'quarter']) {
      const span = `from=2026-11-22&to=2026-11-22&granularity=${granularity}`
      const points = await pointsOf(`/load-forecast?${span}&area=all`)
      for (const area of granularity === 'quarter' ? ['nord'] : ['IT', 'nord']) {
        const own = points.filter((point) => point.area === area).map(({ area: _, ...point }) => point)
        expect(own).toEqual(await pointsOf(`/load-forecast?${span}&area=${area}`))
      }
    }
  })

  it('200 as CSV and Arrow with one row per value', async () => {
    const csv = await ask(`${SWISS_PRICES}&format=csv`)
    expect(csv.headers.get('content-disposition')).toContain('day-ahead-price_ch_hour_2026-11-22_2026-11-22.csv')
    expect(csv.text.split('\r\n').slice(0, 2)).toEqual([
      'series;area;unit;date;starts_at;value;known_at',
      'day-ahead-price;CH;€/MWh;2026-11-22;2026-11-22T00:00:00+01:00;1;2026-11-21T10:12:00Z',
    ])
    const url = `${service.baseUrl}/v1/fundamentals${SWISS_PRICES}&format=arrow`
    const table = tableFromIPC(await (await fetch(url, { headers: { authorization } })).arrayBuffer())
    expect(table.numRows).toBe(24)
    expect(table.get(23)?.toJSON()).toMatchObject({ value: -1, known_at: Date.parse('2026-11-21T10:20:00Z') })
  })

  it('200 marks a simulated series', async () => {
    const answer = (await ask('/wind-forecast-simulated?from=2023-05-01&to=2023-05-01')).json()
    expect(answer).toMatchObject({ simulated: true, source: expect.stringContaining('Simulated') })
  })

  it.each([
    ['/load-forecast?from=2026-11-22&to=2026-11-21', 'from'],
    ['/load-forecast?from=2025-11-01&to=2026-11-21', 'from'],
    ['/load-forecast?area=all&from=2026-10-01&to=2026-11-21', 'from'],
    ['/load-forecast?as_of=2026-11-22T00:00:00Z', 'as_of'],
  ])('400 for %s', async (path, param) => {
    const answer = await ask(path)
    expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid_parameter', param }])
  })

  it.each([
    ['/load-forecast?area=CH', /no load-forecast of CH; it is there for IT, nord,/],
    ['/load?from=2020-01-01&to=2020-01-02', /There is no load of IT for 2020-01-01 to 2020-01-02/],
    ['/load-forecast?area=nord&from=2026-11-20&to=2026-11-20&granularity=day', /no whole day/],
    ['/load-forecast?from=2026-11-22&to=2026-11-22&granularity=quarter', /no quarter-hours/],
    ['/load-forecast?from=2026-11-22&to=2026-11-22&as_of=2026-11-21T09:00:00Z', /known at 2026-11-21T09:00:00Z/],
  ])('404 for %s, with the reason', async (path, message) => {
    const answer = await ask(path)
    expect(answer.status).toBe(404)
    expect(answer.json().message).toMatch(message)
  })

  it('503 before publication, with Retry-After until then', async () => {
    const answer = await ask('/solar-forecast?from=2026-11-22&to=2026-11-22')
    expect([answer.status, answer.json()]).toMatchObject([503, { error: 'no_data' }])
    expect(Number(answer.headers.get('retry-after'))).toBe(6.5 * 3600) // 18:00 in Rome
  })
})

describe('GET /v1/fundamentals', () => {
  it('200 with every series and the available days of each area', async () => {
    const { series } = (await ask('')).json() as { series: { series: string; areas: unknown[] }[] }
    expect(series.find((one) => one.series === 'load-forecast')).toEqual({
      ...LOAD_FORECAST,
      usual_publication: '10:00 Europe/Rome on the day before',
      areas: [
        { area: 'IT', from: '2026-03-29', to: '2026-11-22' },
        { area: 'nord', from: '2026-11-20', to: '2026-11-22' },
      ],
    })
    expect(series.find((one) => one.series === 'load')?.areas).toEqual([])
    expect(series.find((one) => one.series === 'wind-forecast-simulated')).toMatchObject({ simulated: true })
  })

  it('is reflected in GET /v1/status with the latest day of a series', async () => {
    const { sources } = (await service.ask('/v1/status')).json() as { sources: { id: string; series: unknown[] }[] }
    const latest = { latest_market_day: '2026-11-22', complete: true, observed_at: '2026-11-21T09:01:11Z' }
    expect(sources.find(({ id }) => id === 'entsoe-load-forecast')?.series).toMatchObject([
      { series: 'fundamental:load-forecast/IT', ...latest },
    ])
  })
})
