/** Training rows of next-day experts: features and targets, both relative to the level of the week before. */
import type { DayNumber } from '../calendar.ts'
import { hasHours } from '../hourly/ensemble/target-rows.ts'
import { FEATURE_COUNT, type FeatureSource, LOOK_BACK_DAYS } from './features.ts'
import type { MarketView } from './market-view.ts'

const HOURS = 24

export interface TrainingRow {
  day: DayNumber
  features: Float64Array
  /** The day's mean, then its 24 clock hours, less the level. */
  targets: Float64Array
  /** Whether the hours were published; otherwise they are derived from the mean, and no model is trained on them. */
  hasHours: boolean
}

/** Rows of the `windowDays` targets up to `through`; days without a price are left out. */
export function trainingRows(
  view: MarketView,
  source: FeatureSource,
  through: DayNumber,
  windowDays: number,
): TrainingRow[] {
  const { pun, hours } = view
  const rows: TrainingRow[] = []
  const first = Math.max(through - windowDays + 1, pun.firstDay + LOOK_BACK_DAYS)
  for (let day = first; day <= through; day++) {
    const mean = pun.scaled[day - pun.firstDay] ?? Number.NaN
    if (Number.isNaN(mean)) continue
    const features = new Float64Array(FEATURE_COUNT)
    source.fill(day, features)
    const level = source.level(day)
    const start = (day - pun.firstDay) * HOURS
    rows.push({
      day,
      features,
      targets: Float64Array.from([mean, ...hours.subarray(start, start + HOURS)], (price) => price - level),
      hasHours: hasHours(view.zone, day),
    })
  }
  return rows
}
