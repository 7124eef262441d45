/** The models without training: shape, order of the quantiles, and no use of future data. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayNumber, hasMarket, marketDay } from '../../../models/calendar.ts'
import { historyAt, lastDay, type PriceRecord } from '../../../models/history.ts'
import { FORECAST_ASSETS, type Forecast, type ForecastAsset, type ForecastModel } from '../../../models/model.ts'
import { MODELS } from '../../../models/registry.ts'
import { FORECAST_REACH_DAYS } from '../../../src/market/forecast-scope.ts'
import { fullHistory, syntheticRecord } from '../../support/invented-prices.ts'
import { modelById } from '../../support/model-by-id.ts'

const PLAIN = MODELS.filter(({ id }) => !['pun-ensemble', 'lear'].includes(id))
const DAYS = 420

async function forecast(model: ForecastModel, asset: ForecastAsset, record: PriceRecord): Promise<Forecast[]> {
  const history = fullHistory(record)
  const info = marketDay(lastDay(history.series[asset]) as number)
  return model.predict(await model.train(history, { asset }), history, info)
}

function expectOrdered(forecasts: readonly Forecast[]) {
  expect(forecasts.filter(({ p10, p50, p90 }) => !(p10 <= p50 && p50 <= p90))).toEqual([])
}

/** Drops by hundreds, runs of zero, spikes, the floor of the Italian market, gaps. */
const change = fc.constantFrom<(price: number, index: number) => number | undefined>(
  (price) => price,
  (price, index) => (index > 400 ? 0 : price),
  (price, index) => (index % 9 === 0 ? undefined : price),
  (price, index) => (index % 50 === 7 ? -500 : price),
  (price, index) => (index % 60 === 7 ? 3000 : price),
  (price, index) => price - index / 4,
  (price, index) => (index > 200 && index < 260 ? undefined : price * 8),
)

describe.each(PLAIN.map((model) => [model.id, model] as const))('%s', (_, model) => {
  it.each(FORECAST_ASSETS)('forecasts every market day of %s up to the maximum horizon', async (asset) => {
    const forecasts = await forecast(model, asset, syntheticRecord({ days: DAYS }))
    const last = dayNumber(forecasts[0]?.targetDate as Temporal.PlainDate) - (forecasts[0]?.horizonDays as number)
    const expected = Array.from({ length: FORECAST_REACH_DAYS }, (_, index) => index + 1).filter((h) =>
      hasMarket(asset, last + h),
    )
    expect(forecasts.map(({ horizonDays }) => horizonDays)).toEqual(expected)
    expect(forecasts.map(({ targetDate }) => dayNumber(targetDate) - last)).toEqual(expected)
  })

  it('keeps p10 ≤ p50 ≤ p90 for any prices', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(50), change, fc.constantFrom(...FORECAST_ASSETS), async (seed, bend, asset) => {
        const record = syntheticRecord({ seed, days: DAYS, change: (_, index, price) => bend(price, index) })
        expectOrdered(await forecast(model, asset, record))
      }),
      { numRuns: 15 },
    )
  })

  it('gives the same forecast whatever prices follow', async () => {
    const record = syntheticRecord({ days: 500 })
    const cut = Temporal.Instant.from('2021-02-20T12:00:00Z')
    const known = historyAt(record, cut)
    for (const asset of FORECAST_ASSETS) {
      const info = marketDay(lastDay(known.series[asset]) as number)
      const artefact = await model.train(known, { asset })
      expect(model.predict(artefact, fullHistory(record), info)).toEqual(model.predict(artefact, known, info))
    }
  })

  it('gives the same forecasts for a shorter horizon', async () => {
    const history = fullHistory(syntheticRecord({ days: 500 }))
    for (const asset of FORECAST_ASSETS) {
      const info = marketDay(lastDay(history.series[asset]) as number)
      const artefact = await model.train(history, { asset })
      const all = model.predict(artefact, history, info)
      for (const reach of [1, 4, 30, 50])
        expect(model.predict(artefact, history, info, reach)).toEqual(all.filter((one) => one.horizonDays <= reach))
    }
  })

  it('reports how much history is missing', async () => {
    const record = syntheticRecord({ days: model.daysNeeded - 10 })
    await expect(forecast(model, 'PUN', record)).rejects.toThrow(
      `PUN needs ${model.daysNeeded} days of prices before a forecast; ${model.daysNeeded - 10} are known, 10 are missing`,
    )
    const none = { ...record, revisions: { ...record.revisions, PUN: [] } }
    await expect(model.train(fullHistory(none), { asset: 'PUN' })).rejects.toThrow('0 are known')
  })

  it('refuses an artefact of another version', async () => {
    const history = fullHistory(syntheticRecord({ days: DAYS }))
    const artefact = await model.train(history, { asset: 'PUN' })
    const old = { ...artefact, version: '0' }
    expect(() => model.predict(old, history, marketDay(18_000))).toThrow(
      `cannot predict from an artefact of ${model.id} 0`,
    )
  })
})

describe('the model registry', () => {
  it('has unique model ids', () => {
    expect(new Set(MODELS.map(({ id }) => id)).size).toBe(MODELS.length)
  })

  it('has for every asset a model without training and four baselines', () => {
    for (const asset of FORECAST_ASSETS) {
      const ids = MODELS.filter(({ assets }) => assets.includes(asset)).map(({ id }) => id)
      expect(ids).toEqual(
        expect.arrayContaining(['base', 'conformal-walk', 'exponential-smoothing', 'same-weekday', 'last-day']),
      )
    }
  })
})

describe('medians, calculated by hand', () => {
  const forecastFrom = (id: string, price: (day: number) => number) =>
    forecast(modelById(id), 'PUN', syntheticRecord({ days: DAYS, change: (_, day) => price(day) }))

  it.each(['last-day', 'conformal-walk'])('%s repeats the last price', async (id) => {
    for (const { p50 } of await forecastFrom(id, (day) => 50 + (day % 10))) expect(p50).toBeCloseTo(59, 9)
  })

  it('same-weekday repeats the last known week, also months ahead', async () => {
    const forecasts = await forecastFrom('same-weekday', (day) => 50 + (day % 7))
    for (const [index, { p50 }] of forecasts.entries()) expect(p50).toBeCloseTo(50 + ((DAYS + index) % 7), 9)
  })

  it('the base model follows the weekly shape around its level', async () => {
    const shape = [0, 3, 5, 5, 4, -6, -11]
    const price = (day: number) => 100 + (shape[day % 7] as number)
    const forecasts = await forecastFrom('base', price)
    for (const [index, { p50 }] of forecasts.slice(0, 7).entries()) expect(p50).toBeCloseTo(price(DAYS + index), 0)
  })
})
