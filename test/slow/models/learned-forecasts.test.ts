/** The learned model of PUN, with small nets: its guarantees do not depend on their size. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeArtefact, encodeArtefact } from '../../../jobs/forecasts/artefact-bytes.ts'
import { usualPublication } from '../../../jobs/forecasts/price-record.ts'
import { dayNumber, marketDay } from '../../../models/calendar.ts'
import { historyAt, type PriceRecord } from '../../../models/history.ts'
import { lear } from '../../../models/lear/lear-model.ts'
import type { Artefact, Forecast, ForecastModel } from '../../../models/model.ts'
import { seededRandom } from '../../../models/numeric/random.ts'
import { pack, unpacked } from '../../../models/pack.ts'
import { FEATURE_COUNT, featureSource } from '../../../models/pun/features.ts'
import { marketView } from '../../../models/pun/market-view.ts'
import { nextDayBand } from '../../../models/pun/next-day.ts'
import { BUILD, type EnsembleBuild } from '../../../models/pun-ensemble/build.ts'
import { makeEnsemble } from '../../../models/pun-ensemble/pun-ensemble.ts'
import { tensorFlow } from '../../../models/tensorflow/backend.ts'
import { FORECAST_REACH_DAYS } from '../../../src/market/forecast-scope.ts'
import { syntheticRecord } from '../../support/invented-prices.ts'

const SMALL: EnsembleBuild = {
  ...BUILD,
  net: { ...BUILD.net, nets: 1, hidden: 8, epochs: 3 },
  trainingDays: 728,
  learWindowsDays: [364],
  boostedTrees: 5,
  dayTrees: { ...BUILD.dayTrees, trees: 5 },
}
const model = makeEnsemble(SMALL, 'small')
const DAYS = 1200
const record = syntheticRecord({ days: DAYS })
const FIRST = Temporal.PlainDate.from('2020-01-01')

/** History as of the evening after the publication of the PUN of day `index` of the record. */
function historyAsOf(from: PriceRecord, index: number) {
  const info = FIRST.add({ days: index })
  return { info, history: historyAt(from, usualPublication('PSV', info)) }
}

function trainAt(index: number, from = record, previous?: Artefact, trained: ForecastModel = model) {
  return trained.train(historyAsOf(from, index).history, { asset: 'PUN', previous })
}

function predictAt(artefact: Artefact, index: number, from = record) {
  const { info, history } = historyAsOf(from, index)
  return model.predict(artefact, history, info)
}

const artefact = await trainAt(1150)

describe('the ensemble', () => {
  it('forecasts each day up to its reach in order, with ordered quantiles', () => {
    const forecasts = predictAt(artefact, 1150)
    expect(forecasts.map(({ horizonDays }) => horizonDays)).toEqual(
      Array.from({ length: FORECAST_REACH_DAYS }, (_, index) => index + 1),
    )
    expect(forecasts[0]?.targetDate.toString()).toBe(FIRST.add({ days: 1151 }).toString())
    for (const { p10, p50, p90 } of forecasts) expect(p10 <= p50 && p50 <= p90).toBe(true)
    const { info, history } = historyAsOf(record, 1150)
    for (const reach of [1, 4]) expect(model.predict(artefact, history, info, reach)).toEqual(forecasts.slice(0, reach))
  })

  it('is the same when trained twice', async () => {
    expect(await trainAt(1150)).toEqual(artefact)
  })

  it('records its backend, span, seed and out-of-sample error', () => {
    const { backend, span, seed, metrics } = artefact
    expect(['tfjs-node', 'wasm']).toContain(backend)
    expect(span).toEqual({ from: '2020-01-01', to: FIRST.add({ days: 1150 }).toString() })
    expect(seed).toBe(1)
    expect(metrics.days).toBe(364)
    expect(metrics.mae).toBeGreaterThan(0)
  })

  it('trains and forecasts independently of later prices and corrections', async () => {
    const changed = syntheticRecord({ days: DAYS, change: (_, index, price) => (index > 1160 ? 3 * price : price) })
    expect(await trainAt(1150, changed)).toEqual(artefact)
    expect(predictAt(artefact, 1160, changed)).toEqual(predictAt(artefact, 1160))
    const { info } = historyAsOf(record, 1160)
    expect(model.predict(artefact, historyAsOf(record, 1190).history, info)).toEqual(predictAt(artefact, 1160))
  })

  it('cannot predict as of a day before its training', () => {
    expect(() => predictAt(artefact, 1149)).toThrow('has learned from days after 2023-02-23')
  })

  it('calibrates on its predecessor’s forecasts, and predicts the same after being stored', async () => {
    const stored = decodeArtefact(encodeArtefact(artefact))
    expect(predictAt(stored, 1170)).toEqual(predictAt(artefact, 1170))
    const next = await trainAt(1180, record, stored)
    expect(next).toEqual(await trainAt(1180, record, artefact))
    const trail = unpacked<{ trail: Map<number, number> }>(next).trail
    expect(trail.size).toBe(365)
    expect(Math.max(...trail.keys())).toBe(dayNumber(FIRST) + 1180)
  })

  it('accepts gaps, prices of zero and prices at the floor of −500', async () => {
    const odd = syntheticRecord({
      days: DAYS,
      change: (asset, index, price) => {
        if (index % 41 === 3) return undefined
        if (asset === 'PUN' && index % 97 === 5) return -500
        return asset === 'PUN' && index % 31 === 7 ? 0 : price
      },
    })
    const trained = await trainAt(1150, odd)
    for (const index of [1150, 1164]) {
      for (const { p10, p50, p90 } of predictAt(trained, index, odd)) expect(p10 <= p50 && p50 <= p90).toBe(true)
    }
  })

  it('keeps the width of its band if days are known only by their mean', async () => {
    const bare: PriceRecord = {
      ...record,
      revisions: {
        ...record.revisions,
        PUN: record.revisions.PUN.map(({ hours, ...mean }, index) => (index > 1000 ? mean : { ...mean, hours })),
      },
    }
    const width = (made: Forecast[]) => (made[0]?.p90 ?? 0) - (made[0]?.p10 ?? 0)
    const trained = await trainAt(1150, bare)
    const [own, usual] = [predictAt(trained, 1160, bare), predictAt(artefact, 1160)].map(width) as [number, number]
    expect(own / usual).toBeGreaterThan(0.8)
    expect(own / usual).toBeLessThan(1.25)
  })

  it('works without gas prices', async () => {
    const withoutGas = { ...record, revisions: { ...record.revisions, PSV: [], TTF: [] } }
    expect(predictAt(await trainAt(1150, withoutGas), 1151, withoutGas)).toHaveLength(FORECAST_REACH_DAYS)
  })

  it('says how much history is missing', async () => {
    await expect(trainAt(900)).rejects.toThrow(
      'PUN needs 1093 days of prices before a forecast; 901 are known, 192 are missing',
    )
  })

  it('discards a training that diverged', async () => {
    const wild = { ...SMALL, net: { ...SMALL.net, learningRates: [1e30, 1e30] as const } }
    await expect(trainAt(1150, record, undefined, makeEnsemble(wild, 'wild'))).rejects.toThrow(
      expect.objectContaining({ name: 'TrainingDiverged' }),
    )
  })

  it('stops at its signal', async () => {
    const { history } = historyAsOf(record, 1150)
    const signal = AbortSignal.abort(new Error('time is up'))
    await expect(model.train(history, { asset: 'PUN', signal })).rejects.toThrow('time is up')
  })

  it('leaves no tensor behind', async () => {
    const { tf } = await tensorFlow()
    expect(tf.memory().numTensors).toBe(0)
  })
})

describe('LEAR', () => {
  it('predicts ordered quantiles', async () => {
    const trained = await trainAt(1100, record, undefined, lear)
    const { info, history } = historyAsOf(record, 1105)
    for (const { p10, p50, p90 } of lear.predict(trained, history, info)) expect(p10 <= p50 && p50 <= p90).toBe(true)
  })
})

describe('features', () => {
  it('of a day depend only on data up to the day before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 420, max: 1100 }), fc.integer({ min: 1, max: 90 }), (index, later) => {
        const row = (history: ReturnType<typeof historyAsOf>['history'], upTo: number) => {
          const view = marketView(history, dayNumber(FIRST) + upTo)
          const features = new Float64Array(FEATURE_COUNT)
          if (view) featureSource(view).fill(dayNumber(FIRST) + index, features)
          return features
        }
        expect(row(historyAsOf(record, index - 1 + later).history, index - 1 + later)).toEqual(
          row(historyAsOf(record, index - 1).history, index - 1),
        )
      }),
      { numRuns: 20 },
    )
  })

  it('do not change when every price is ten times as high', () => {
    const tenfold = syntheticRecord({ days: 600, change: (_, __, price) => 10 * price })
    const rows = [record, tenfold].map((from) => {
      const view = marketView(historyAsOf(from, 550).history, dayNumber(FIRST) + 550)
      const features = new Float64Array(FEATURE_COUNT)
      if (view) featureSource(view).fill(dayNumber(FIRST) + 551, features)
      return features
    })
    const [own, other] = rows as [Float64Array, Float64Array]
    expect(Math.max(...own.map((value, column) => Math.abs(value - (other[column] as number))))).toBeLessThan(0.02)
  })
})

describe('a gas price that is no longer published', () => {
  it('follows the other gas price after a week', () => {
    const rising = syntheticRecord({
      days: 600,
      change: (asset, index, price) => (asset === 'TTF' ? 20 + index / 50 : price),
    })
    const first = dayNumber(FIRST)
    const ended = (index: number) => rising.revisions.PSV.filter(({ day }) => dayNumber(day) <= first + index)
    const psvAt = (until: number) => {
      const { history } = historyAsOf({ ...rising, revisions: { ...rising.revisions, PSV: ended(until) } }, 550)
      const { gas } = marketView(history, first + 550) as NonNullable<ReturnType<typeof marketView>>
      const on = (asset: 'PSV' | 'TTF', index: number) =>
        gas[asset]?.filled[first + index - (gas[asset]?.firstDay ?? 0)] as number
      return { moved: on('PSV', 549) - on('PSV', until), asTtf: on('TTF', 549) - on('TTF', until) }
    }
    const long = psvAt(500)
    expect(long.moved).toBeCloseTo(long.asTtf, 9)
    expect(long.moved).toBeGreaterThan(0.02)
    expect(psvAt(545).moved).toBe(0)
  })
})

describe('the band of the next day', () => {
  const lastDay = 1000
  /** Doubles the errors from day `jump` on. */
  const known = (jump = lastDay + 1) => {
    const random = seededRandom(3)
    const scaled = Float64Array.from({ length: lastDay + 1 }, (_, day) => (day < jump ? 0.1 : 0.2) * (random() - 0.5))
    return { asset: 'PUN' as const, firstDay: 0, lastDay, prices: scaled, scaled, filled: scaled }
  }
  const trailOf = (days: number) => new Map(Array.from({ length: days }, (_, index) => [lastDay - index, 0]))
  const bandOf = (pun: ReturnType<typeof known>) => nextDayBand(trailOf(365), pun) ?? expect.fail('no band')

  it('covers about 80% of the following days', () => {
    const pun = known()
    const next = Array.from({ length: 200 }, (_, index) => lastDay - index)
    const inside = next.filter((day) => {
      const seen = { ...pun, lastDay: day - 1, scaled: pun.scaled.subarray(0, day) }
      const { below, above } = nextDayBand(trailOf(lastDay), seen) ?? expect.fail('no band')
      const error = pun.scaled[day] as number
      return error >= below && error <= above
    })
    expect(inside.length / next.length).toBeGreaterThan(0.74)
    expect(inside.length / next.length).toBeLessThan(0.86)
  })

  it('widens within a month of larger errors', () => {
    const width = (pun: ReturnType<typeof known>) => bandOf(pun).above - bandOf(pun).below
    expect(width(known(lastDay - 27)) / width(known())).toBeGreaterThan(1.6)
  })

  it('is not made from fewer than 60 past days', () => {
    expect(nextDayBand(trailOf(59), known())).toBeUndefined()
  })
})

it('a packed state is unpacked unchanged, and a missing array is an error', () => {
  const state = {
    list: [1, 'two', null, { three: Float32Array.of(1.5, 0.1) }],
    map: new Map([[19_000, { numbers: Float64Array.of(0.1, Number.NaN) }]]),
    day: marketDay(19_000).toString(),
  }
  expect(unpacked(pack(state))).toEqual(state)
  expect(() => unpacked({ ...pack(state), arrays: {} })).toThrow('has no array a0')
})
