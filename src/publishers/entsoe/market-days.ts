/** Cuts periods into market days, and chooses where a day is stated more than once. */
import { marketDayOf } from '../../market/market-day.ts'
import { UnreadableDocument } from '../faults.ts'
import type { ZoneDay } from '../observations.ts'
import type { OpenDay, ZoneDays } from '../reading/zone-days.ts'
import type { PeriodIntervals } from './intervals.ts'

/** Cuts the intervals into market days. */
export function addIntervals<Zone extends string>(
  days: ZoneDays<Zone>,
  zone: Zone,
  { resolutionMinutes, intervals }: PeriodIntervals,
): void {
  const length = resolutionMinutes * 60_000
  let day: OpenDay<Zone> | undefined
  for (const { startMilliseconds, stated, place } of intervals) {
    if (day === undefined || !contains(day, startMilliseconds)) {
      const marketDay = marketDayOf(Temporal.Instant.fromEpochMilliseconds(startMilliseconds))
      day = days.open(marketDay.toString(), resolutionMinutes)
      if (day === undefined) throw new UnreadableDocument(place, `is of the impossible day ${marketDay}`)
    }
    const ordinal = (startMilliseconds - day.startMilliseconds) / length + 1
    const trouble =
      typeof stated !== 'number'
        ? stated
        : Number.isInteger(ordinal)
          ? day.put(zone, ordinal, stated)
          : { code: 'wrong_instant' as const, detail: `no interval of ${day.isoDay} starts where this one does` }
    if (trouble) day.report(zone, place, trouble)
  }
}

function contains(day: Pick<OpenDay, 'startMilliseconds' | 'startOf' | 'intervals'>, milliseconds: number): boolean {
  return milliseconds >= day.startMilliseconds && milliseconds < day.startOf(day.intervals + 1)
}

/** One of each zone and day: the finest that has every interval, else the finest; of those the one gathered first. */
export function chosen<Zone extends string>(gathered: readonly ZoneDays<Zone>[]): ZoneDay<Zone>[] {
  const candidates = gathered.flatMap((days) => days.takeAll()).filter((item) => item.kind === 'zone-day')
  const byZoneAndDay = Map.groupBy(candidates, ({ zone, day }) => `${day} ${zone}`)
  return [...byZoneAndDay.values()].map((same) => {
    const [finest] = same.sort((a, b) => a.resolutionMinutes - b.resolutionMinutes)
    return same.find(isWhole) ?? (finest as ZoneDay<Zone>)
  })
}

export function isWhole({ prices, faults }: Pick<ZoneDay, 'prices' | 'faults'>): boolean {
  return faults.length === 0 && !prices.includes(undefined)
}
