/** The hours or quarter-hours of a market day, as pages show them. */
import type { HourlyDay } from '../../api/contract/hourly.ts'
import type { View } from '../view.ts'

export interface Interval {
  ordinal: number
  hour: number
  startsAt: string
  endsAt: string
  value: number
  band: 'F1' | 'F2' | 'F3'
}

export function intervalsOf({ hours, quarters }: HourlyDay): Interval[] {
  if (quarters)
    return quarters.map(({ quarter, starts_at: startsAt, ends_at: endsAt, ...rest }) => {
      return { ordinal: quarter, startsAt, endsAt, ...rest }
    })
  return (hours ?? []).map(({ starts_at: startsAt, ends_at: endsAt, ...rest }) => {
    return { ordinal: rest.hour, startsAt, endsAt, ...rest }
  })
}

/** `00` to `23` */
export const CLOCK_HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))

/** Clock time, with its offset if it occurs twice: `02:00 (+02:00)`. */
export function clock(instant: string, intervals: readonly Pick<Interval, 'startsAt'>[], view: View): string {
  const text = view.formats.clock(instant)
  const wall = instant.slice(0, 16)
  const isRepeated = intervals.some(({ startsAt }) => startsAt !== instant && startsAt.startsWith(wall))
  return isRepeated ? `${text} (${instant.slice(19)})` : text
}

/** `12:00–15:00` */
export function clockSpan(
  { startsAt, endsAt }: Pick<Interval, 'startsAt' | 'endsAt'>,
  intervals: readonly Interval[],
  view: View,
): string {
  return `${clock(startsAt, intervals, view)}–${clock(endsAt, intervals, view)}`
}
