import { describe, expect, it, onTestFinished } from 'vitest'
import type { ForecastCurve } from '../../../src/api/contract/forecasts.ts'
import { FORECAST_REACH_DAYS } from '../../../src/market/forecast-scope.ts'
import { isTradingDay } from '../../../src/market/trading-days.ts'
import { seedIssue } from '../../support/forecasts.ts'
import { dailyPrice } from '../../support/prices.ts'
import { startTestService } from '../../support/service.ts'
import { NOW, startForecastService } from './seeded-service.ts'

const service = await startForecastService()
const headers = await service.asPlan('API')

const ask = (path: string) => service.ask(path, { headers })
const curve = async (path: string) => (await ask(path)).json() as unknown as ForecastCurve

describe('the forecast curve', () => {
  it('begins on the first unpublished day and has one point per day', async () => {
    const answer = await ask('/v1/forecast/pun?horizon=7')
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({
      asset: 'PUN',
      unit: '€/MWh',
      horizon_days: 7,
      generated_at: '2026-11-21T12:02:11Z',
      model: 'base',
      info_date: '2026-11-22',
      count: 7,
    })
    const { points } = await curve('/v1/forecast/pun?horizon=7')
    expect(points[0]).toEqual({ date: '2026-11-23', p10: 90.1, p50: 100.1, p90: 112.1 })
    expect(points.at(-1)?.date).toBe('2026-11-29')
  })

  it.each([7, 30, 90, 180])('has every day of a %s-day horizon, across the daylight-saving change', async (horizon) => {
    const { points } = await curve(`/v1/forecast/pun?horizon=${horizon}`)
    const days = Array.from({ length: horizon }, (_, i) => Temporal.PlainDate.from('2026-11-23').add({ days: i }))
    expect(points.map(({ date }) => date)).toEqual(days.map(String))
  })

  it.each(['PSV', 'TTF'] as const)(
    'has exactly the market days of %s, whatever the age of its last price',
    async (asset) => {
      const isMarketDay = (day: Temporal.PlainDate) => asset === 'PSV' || isTradingDay(day)
      const old = await startTestService({ now: NOW })
      onTestFinished(() => old.stop())
      const about = { headers: await old.asPlan('API') }
      for (const [i, age] of [-3, -1, 0, 1, 4, 7].entries()) {
        const today = Temporal.PlainDate.from('2026-02-13').add({ weeks: 2 * i }) // includes 27 March and 10 April
        const infoDate = today.subtract({ days: age })
        const now = `${today}T18:00:00Z`
        const reach = { days: FORECAST_REACH_DAYS, targets: isMarketDay }
        old.setNow(now)
        await old.seed([dailyPrice(asset, infoDate.toString(), 30)])
        await seedIssue(old.sql, { asset, infoDate: infoDate.toString(), issuedAt: now, ...reach })
        const begins = age < 0 ? infoDate : today
        let first = begins.add({ days: 1 })
        while (!isMarketDay(first)) first = first.add({ days: 1 })
        for (const horizon of [7, 30, 90, 180]) {
          const days = Array.from({ length: horizon }, (_, n) => first.add({ days: n })).filter(isMarketDay)
          const answer = await old.ask(`/v1/forecast/${asset.toLowerCase()}?horizon=${horizon}`, about)
          const { points, count } = answer.json() as { points: { date: string }[]; count: number }
          expect([age, count, points.map(({ date }) => date)]).toEqual([age, days.length, days.map(String)])
        }
      }
    },
  )

  it('has 30 days by default', async () => {
    expect((await ask('/v1/forecast/psv')).json()).toMatchObject({
      horizon_days: 30,
      count: 30,
      info_date: '2026-11-21',
    })
  })

  it('states its trend against the last observed value', async () => {
    const { points, summary } = await curve('/v1/forecast/pun?horizon=30')
    const mean = points.reduce((sum, { p50 }) => sum + p50, 0) / points.length
    expect(summary.avg_p50).toBeCloseTo(mean, 4)
    expect(summary.trend).toBe(
      mean > 1.02 * summary.last_value ? 'up' : mean < 0.98 * summary.last_value ? 'down' : 'flat',
    )
  })

  it('is available as CSV with one row per day', async () => {
    const answer = await ask('/v1/forecast/pun?horizon=7&format=csv')
    expect(answer.text.split('\r\n').slice(0, 2)).toEqual([
      'asset;unit;date;p10;p50;p90',
      'PUN;€/MWh;2026-11-23;90,1;100,1;112,1',
    ])
    expect(answer.headers.get('content-disposition')).toContain('forecast_pun_2026-11-23_7d.csv')
  })
})

describe('GET /v1/forecast/{asset}', () => {
  it.each(['0', '8', '07', '30.0', '-7', '1e1', '181', ''])('400 for the horizon "%s"', async (horizon) => {
    const answer = await ask(`/v1/forecast/pun?horizon=${horizon}`)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ error: 'invalid_parameter', param: 'horizon' })
  })
})

describe('the forecast curve over time', () => {
  it('returns 503 before the first issue and when its prices are outdated', async () => {
    const empty = await startTestService({ now: NOW })
    onTestFinished(() => empty.stop())
    const about = { headers: await empty.asPlan('API') }
    const nothing = await empty.ask('/v1/forecast/pun', about)
    expect(nothing.status).toBe(503)
    expect(nothing.json()).toMatchObject({ error: 'no_data', message: 'No forecast of PUN has been issued yet.' })
    expect(Number(nothing.headers.get('retry-after'))).toBeGreaterThan(0)
    // A forecast is not shown if its input prices are no longer published.
    await empty.seed([dailyPrice('PUN', '2026-11-10', 100)])
    await seedIssue(empty.sql, { asset: 'PUN', infoDate: '2026-11-10', issuedAt: '2026-11-10T12:00:00Z' })
    expect((await empty.ask('/v1/forecast/pun', about)).status).toBe(503)
  })

  it('leaves out days published since it was issued', async () => {
    await service.seed([dailyPrice('PUN', '2026-11-23', 120)])
    const { points } = await curve('/v1/forecast/pun?horizon=7')
    expect(points[0]?.date).toBe('2026-11-24')
  })
})
