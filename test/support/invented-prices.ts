/** Invented prices with a week, a year, a drift and noise, reproducible by seed; each is known from its usual publication on. */

import { usualPublication } from '../../jobs/forecasts/price-record.ts'
import { hasMarket, marketDay, weekday } from '../../models/calendar.ts'
import { type History, historyAt, type PriceRecord, type PriceRevision } from '../../models/history.ts'
import type { ForecastAsset } from '../../models/model.ts'
import { seededRandom } from '../../models/numeric/random.ts'

export interface SyntheticRecordOptions {
  seed?: number
  /** YYYY-MM-DD */
  firstDay?: string
  days: number
  /** Changes a price, or drops it by returning undefined. */
  change?: (asset: ForecastAsset, index: number, price: number) => number | undefined
}

const HOURS = 24

export function syntheticRecord({
  seed = 1,
  firstDay = '2020-01-01',
  days,
  change,
}: SyntheticRecordOptions): PriceRecord {
  const random = seededRandom(seed)
  const first = Temporal.PlainDate.from(firstDay)
  const revisions: Record<ForecastAsset, PriceRevision[]> = { PUN: [], PSV: [], TTF: [] }
  let [gas, power] = [30, 0]
  for (let index = 0; index < days; index++) {
    const day = first.add({ days: index })
    const number = Math.round(Date.UTC(day.year, day.month - 1, day.day) / 86_400_000)
    gas *= Math.exp(0.03 * (random() - 0.5))
    power = 0.7 * power + 0.3 * (random() - 0.5)
    const season = 0.15 * Math.cos((2 * Math.PI * index) / 365.25)
    const pun = 2 * gas * Math.exp(season + power + (weekday(number) > 4 ? -0.15 : 0))
    const prices: Record<ForecastAsset, number> = { PUN: pun, PSV: gas * (1.05 + 0.02 * random()), TTF: gas }
    for (const asset of ['PUN', 'PSV', 'TTF'] as const) {
      const price = change ? change(asset, index, prices[asset]) : prices[asset]
      if (price === undefined || !hasMarket(asset, number)) continue
      const hours = asset === 'PUN' ? { hours: hoursAround(price) } : {}
      revisions[asset].push({ day: marketDay(number), price, knownAt: usualPublication(asset, day), ...hours })
    }
  }
  return { revisions, holidays: [] }
}

function hoursAround(price: number): Float64Array {
  return Float64Array.from({ length: HOURS }, (_, hour) => price * (1 + 0.3 * Math.sin((2 * Math.PI * hour) / HOURS)))
}

/** The whole record, as if all of it were known. */
export function fullHistory(record: PriceRecord): History {
  return historyAt(record, Temporal.Instant.from('2100-01-01T00:00:00Z'))
}
