/** Training days of a zone's models: those with all hours published. */
import type { DayNumber } from '../../calendar.ts'
import { HOURS } from '../history.ts'
import type { Features } from './features.ts'
import { toRelative } from './relative-price.ts'
import type { ZoneView } from './zone-view.ts'

/** Days of prices that the features need before the first target. */
const LOOK_BACK_DAYS = 28

export interface TargetRows {
  days: DayNumber[]
  /** Relative prices, 24 for each day. */
  targets: Float64Array
}

/** Rows of targets `ahead` days after the last price, up to `through`. */
export function targetRows(
  view: ZoneView,
  features: Features,
  { ahead, through, windowDays }: { ahead: number; through: DayNumber; windowDays: number },
): TargetRows {
  const first = Math.max(view.firstDay + LOOK_BACK_DAYS + ahead, through - windowDays + 1)
  const days: DayNumber[] = []
  for (let day = first; day <= through; day++) if (hasHours(view, day)) days.push(day)
  const targets = new Float64Array(days.length * HOURS)
  days.forEach((day, at) => {
    const level = features.level(day)
    for (let hour = 0; hour < HOURS; hour++)
      targets[at * HOURS + hour] = toRelative(view.published[(day - view.firstDay) * HOURS + hour] as number, level)
  })
  return { days, targets }
}

/** Whether all hours of the day are published. */
export function hasHours({ published, firstDay }: ZoneView, day: DayNumber): boolean {
  for (let hour = 0; hour < HOURS; hour++)
    if (Number.isNaN(published[(day - firstDay) * HOURS + hour] ?? Number.NaN)) return false
  return true
}
