/**
 * The real hourly prices of zones and their drivers, as the database returns them to a training or an issue. Weather runs are not available:
 * they are derived from the simulated wind and solar forecasts, one per day; the run of the morning of `to` covers the days after it.
 */

import { usualPublication } from '../../jobs/forecasts/price-record.ts'
import type { HourlyInputs } from '../../jobs/forecasts/task.ts'
import { dayNumber, marketDay } from '../../models/calendar.ts'
import { type DailyHours, HOURS, hasDay } from '../../models/hourly/history.ts'
import { type FundamentalArea, type FundamentalSeries, fundamentalOf, ITALY } from '../../src/market/fundamentals.ts'
import { NATIONAL_ZONE, type ZoneCode } from '../../src/market/zones.ts'
import { momentToInstant } from '../../src/publishers/schedule.ts'
import type { FundamentalVersion } from '../../src/store/fundamentals.ts'
import type { PriceVersion } from '../../src/store/price-versions.ts'
import type { RealHours } from '../support/real-hours.ts'

/** Installed wind capacity, MW. */
const WIND_MW = 14_000
/** MW per W/m². */
const SOLAR_MW = 20
const DAYS_AHEAD = 7
const RUN_TIME = '06:00'

/** Prices and metered output up to `to`, forecasts for a week after it. */
export function realHourlyInputs(
  { prices, drivers: { load, wind, solar }, actual, swiss }: RealHours,
  zones: readonly ZoneCode[],
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): HourlyInputs {
  const lastForecastDay = to.add({ days: DAYS_AHEAD })
  const forecast = (series: FundamentalSeries, hours: DailyHours, area: FundamentalArea = ITALY) =>
    fundamentalVersions(series, area, daysOf(hours, from, lastForecastDay))
  const run = (series: FundamentalSeries, hours: DailyHours) => {
    const newestMs = momentToInstant(to, { days: 0, time: RUN_TIME }).epochMilliseconds
    return forecast(series, hours).map((one) => ({ ...one, knownAtMs: Math.min(one.knownAtMs, newestMs) }))
  }
  const metered = (series: FundamentalSeries, hours: DailyHours) =>
    fundamentalVersions(series, ITALY, daysOf(hours, from, to))
  const marketZones = zones.filter((zone) => zone !== NATIONAL_ZONE)
  return {
    versions: Object.fromEntries(marketZones.map((zone) => [zone, priceVersions(daysOf(prices(zone), from, to))])),
    fundamentals: [
      ...forecast('load-forecast', load),
      ...forecast('wind-forecast', wind),
      ...forecast('solar-forecast', solar),
      ...forecast('day-ahead-price', swiss, 'CH'),
      ...metered('generation-wind-onshore', actual.wind),
      ...metered('generation-solar', actual.solar),
      ...run('wind-speed', mapHours(wind, speedOf)),
      ...run(
        'solar-radiation',
        mapHours(solar, (mw) => mw / SOLAR_MW),
      ),
      ...run(
        'temperature',
        mapHours(solar, (mw) => 10 + mw / 1_000),
      ),
    ],
  }
}

interface Day {
  day: Temporal.PlainDate
  hours: number[]
}

/** Complete days only. */
function daysOf(series: DailyHours, from: Temporal.PlainDate, to: Temporal.PlainDate): Day[] {
  const days: Day[] = []
  for (let day = dayNumber(from); day <= dayNumber(to); day++) {
    const start = (day - series.firstDay) * HOURS
    if (hasDay(series, day))
      days.push({ day: marketDay(day), hours: Array.from(series.values.subarray(start, start + HOURS)) })
  }
  return days
}

function priceVersions(days: readonly Day[]): PriceVersion[] {
  return days.map(({ day, hours }) => ({
    day: day.toString(),
    price: hours.reduce((sum, price) => sum + price, 0) / HOURS,
    intervals: hours,
    fetchedAtMs: usualPublication('PUN', day).epochMilliseconds,
    synthetic: false,
  }))
}

function fundamentalVersions(
  series: FundamentalSeries,
  area: FundamentalArea,
  days: readonly Day[],
): FundamentalVersion[] {
  const { known, knownIn } = fundamentalOf(series)
  return days.map(({ day, hours: values }) => {
    const knownAtMs = momentToInstant(day, knownIn?.[area] ?? known).epochMilliseconds
    return { series, area, day: day.toString(), values, knownAtMs }
  })
}

function mapHours({ firstDay, values }: DailyHours, value: (mw: number) => number): DailyHours {
  return { firstDay, values: values.map(value) }
}

/** Wind speed in m/s at which the turbines have that output. */
function speedOf(mw: number): number {
  const share = Math.max(0.01, Math.min(0.99, mw / WIND_MW))
  return 8.5 + 1.4 * Math.log(share / (1 - share))
}
