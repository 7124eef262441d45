/** A month or a year of hours, and where each of them lies: by market day and clock hour. */
import { clockHoursOf, type MarketDay } from '../../market/market-day.ts'
import type { ZoneCode } from '../../market/zones.ts'
import type { IntervalsOfDay } from '../../store/zone-prices.ts'

export interface HourlyPeriod {
  /** `2026` or `2026-11` */
  name: string
  kind: 'year' | 'month'
  from: MarketDay
  to: MarketDay
  /** The names of its neighbours. */
  before: string
  after: string
}

export interface PeriodShown {
  period: HourlyPeriod
  zone: ZoneCode
  /** Days without stored prices are left out. */
  days: readonly IntervalsOfDay[]
}

export function hourlyPeriod(name: string): HourlyPeriod {
  if (name.length === 4) {
    const year = Number(name)
    const from = Temporal.PlainDate.from({ year, month: 1, day: 1 })
    const neighbour = (other: number) => String(other).padStart(4, '0')
    const to = from.add({ years: 1 }).subtract({ days: 1 })
    return { name, kind: 'year', from, to, before: neighbour(year - 1), after: neighbour(year + 1) }
  }
  const month = Temporal.PlainYearMonth.from(name)
  return {
    name,
    kind: 'month',
    from: month.toPlainDate({ day: 1 }),
    to: month.toPlainDate({ day: month.daysInMonth }),
    before: month.subtract({ months: 1 }).toString(),
    after: month.add({ months: 1 }).toString(),
  }
}

export interface ClockHour {
  /** 0 to 23 */
  clock: number
  price: number
  /** In October one clock hour comes twice: the first and the second of them. */
  half?: 0 | 1
}

/** The hours of a day by the clock: in March one is skipped. */
export function clockHours({ expected, intervals }: IntervalsOfDay): ClockHour[] {
  const clocks = clockHoursOf(expected)
  return intervals.map(({ ordinal, price }) => {
    const clock = clocks[ordinal - 1] as number
    if (clocks.indexOf(clock) === clocks.lastIndexOf(clock)) return { clock, price }
    return { clock, price, half: clocks.indexOf(clock) === ordinal - 1 ? 0 : 1 }
  })
}
