import { describe, expect, it } from 'vitest'
import { scoreForecasts } from '../../../src/store/forecast-ledger.ts'
import { type ReplayedForecast, saveReplay } from '../../../src/store/forecast-replays.ts'
import { seedIssue } from '../../support/forecasts.ts'
import { dailyPrice } from '../../support/prices.ts'
import { NOW, startForecastService } from './seeded-service.ts'

const service = await startForecastService()
const headers = await service.asPlan('Developer')

const next = (asset: string) => service.ask(`/v1/forecast/${asset}/next`, { headers })

describe('the forecast of the next day', () => {
  it('is for the first unpublished day: D+2 once D+1 is published', async () => {
    const answer = await next('pun')
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({
      asset: 'PUN',
      target_date: '2026-11-23',
      value: 100.1,
      p10: 90.1,
      p90: 112.1,
      unit: '€/MWh',
      model: 'base',
      horizon_days: 1,
      info_date: '2026-11-22',
      generated_at: '2026-11-21T12:02:11Z',
      n: 0,
    })
  })

  it('names a methodology page that exists', async () => {
    const { methodology } = (await next('pun')).json()
    const page = await fetch(String(methodology))
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('previous_hash')
  })

  it('reports errors of a replay, marked as such, until 30 issued forecasts are scored', async () => {
    const replayedDay = (i: number, role: ReplayedForecast['role']): ReplayedForecast => {
      const target = Temporal.PlainDate.from('2026-11-20').subtract({ days: i })
      const info = target.subtract({ days: 1 })
      return {
        ...{
          role,
          version: '1',
          ...(role === 'published' ? { model: 'base', p50: 105 } : { model: 'walk', p50: 110 }),
        },
        ...{ infoDate: info.toString(), issuedAt: info.toZonedDateTime('UTC').toInstant() },
        ...{ targetDate: target.toString(), p10: 90, p90: 120, actual: i === 0 ? 0.5 : 100 },
      }
    }
    const days = Array.from({ length: 40 }, (_, i) => i)
    await saveReplay(service.sql, {
      ...{ asset: 'PUN', synthetic: false, purpose: 'accuracy', codeVersion: '1.0.0' },
      madeAt: Temporal.Instant.from(NOW),
      forecasts: days.flatMap((i) => [replayedDay(i, 'published'), replayedDay(i, 'benchmark')]),
    })
    await service.seed([])
    expect((await next('pun')).json()).toMatchObject({
      accuracy_basis: 'replay',
      n: 30,
      mape_30d: 0.05,
      mape_left_out: 1,
      mae_30d: expect.closeTo((29 * 5 + 104.5) / 30, 5),
      coverage80_30d: expect.closeTo(29 / 30, 5),
      rmae_30d: expect.closeTo((29 * 5 + 104.5) / (29 * 10 + 109.5), 5),
    })
  })

  it('reports errors of the last 30 issued target days once scored, trading days for TTF', async () => {
    service.setNow('2026-11-21T13:00:00Z')
    const first = Temporal.PlainDate.from('2026-11-23')
    const days = Array.from({ length: 50 }, (_, i) => first.add({ days: i })).filter(({ dayOfWeek }) => dayOfWeek <= 5)
    await service.seed(days.map((day) => dailyPrice('TTF', day.toString(), 40)))
    await scoreForecasts(service.sql, 'TTF', Temporal.Instant.from('2027-01-12T18:00:00Z'))
    service.setNow('2027-01-12T18:00:00Z')
    const infoDate = String(days.at(-1))
    await seedIssue(service.sql, { asset: 'TTF', infoDate, issuedAt: '2027-01-11T19:00:00Z', p50: () => 41 })
    await service.seed([])
    const issued = { accuracy_basis: 'issued', n: 30, mape_30d: 0.125, mae_30d: 5, value: 41 }
    expect((await next('ttf')).json()).toMatchObject(issued)
  })
})
