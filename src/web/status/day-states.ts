/** The state of a market day of a series on the status page: complete, partial, due, missing, or without a market. */
import type { AssetCode } from '../../market/assets.ts'
import { sampleSource } from '../../publishers/sample/index.ts'
import { momentToInstant } from '../../publishers/schedule.ts'
import { defaultSourceFor } from '../../publishers/sources.ts'
import type { DayCompleteness } from '../../store/completeness.ts'

export const SERIES = ['PUN', 'zones', 'PSV', 'TTF', 'Brent', 'CO2'] as const satisfies readonly (AssetCode | 'zones')[]
export type Series = (typeof SERIES)[number]

/** `due`: not late yet. `closed`: the market has no price for that day. */
export type DayState = 'whole' | 'partial' | 'due' | 'missing' | 'closed'

export interface Assessment {
  now: Temporal.Instant
  /**
   * Whether the values are synthetic. Synthetic gas prices are published in the evening of the day, not of the day before, and those of the
   * hub include the days after a weekend.
   */
  synthetic: boolean
}

export function dayState(series: Series, completeness: DayCompleteness, { now, synthetic }: Assessment): DayState {
  const stored = storedShare(series, completeness)
  if (stored === 1) return 'whole'
  if (stored > 0 || isMeanOnly(series, completeness)) return 'partial'
  const day = Temporal.PlainDate.from(completeness.day)
  const isPower = series === 'PUN' || series === 'zones'
  const official = defaultSourceFor(isPower ? 'PUN' : series)
  const isSyntheticNonPower = synthetic && !isPower
  if (!(isSyntheticNonPower ? official.publishesOn(day) : official.expects(day))) return 'closed'
  const late = momentToInstant(day, isSyntheticNonPower ? sampleSource.lateAt : official.lateAt)
  return Temporal.Instant.compare(now, late) < 0 ? 'due' : 'missing'
}

/** Returns whether only the mean of the day is stored, not its hours. */
function isMeanOnly(series: Series, { assets }: DayCompleteness): boolean {
  return series === 'PUN' && assets.includes('PUN')
}

/** Returns the stored share, from 0 to 1, of the minutes of the day: 1380, 1440 or 1500. */
function storedShare(series: Series, day: DayCompleteness): number {
  if (series === 'PUN') return day.punMinutes / day.expectedMinutes
  if (series === 'zones') return day.zoneMinutes / (day.zones * day.expectedMinutes)
  return day.assets.includes(series) ? 1 : 0
}
