/** Rolling evaluation of the hours of a zone: each issue made again with only what was known then. */
import { type DayNumber, dayNumber } from '../../models/calendar.ts'
import { type Fundamentals, HOURS, type HourlyPrices } from '../../models/hourly/history.ts'
import type { Scored } from '../../models/metrics.ts'
import type { HourlyArtefact, HourlyModel, InputStep } from '../../models/model.ts'
import type { ZoneCode } from '../../src/market/zones.ts'
import { hourlyHistoryAt, type RealHours } from '../support/real-hours.ts'

export interface RollingHours {
  zone: ZoneCode
  /** First and last target day. */
  from: string
  to: string
  aheads: readonly number[]
  step: InputStep
  drivers?: Fundamentals
  refitDays?: number
  isMidday?: boolean
}

export interface RolledHours {
  /** 24 for each day, in order. */
  hours: Map<number, Scored[]>
  /** The day's mean. */
  means: Map<number, Scored[]>
}

/** Weekly, as in the service. */
const REFIT_DAYS = 7

export async function rollingHours(
  real: RealHours,
  model: HourlyModel,
  { zone, from, to, aheads, step, drivers, refitDays = REFIT_DAYS, isMidday }: RollingHours,
): Promise<RolledHours> {
  const [first, last] = [from, to].map((day) => dayNumber(Temporal.PlainDate.from(day))) as [DayNumber, DayNumber]
  const prices = real.prices(zone)
  const farthest = Math.max(...aheads)
  const rolled: RolledHours = {
    hours: new Map(aheads.map((one) => [one, []])),
    means: new Map(aheads.map((one) => [one, []])),
  }
  let artefact: HourlyArtefact | undefined
  let trainedOn = 0
  for (let info = first - farthest; info <= last - 1; info++) {
    const history = hourlyHistoryAt(real, { zone, info, ahead: farthest, drivers, isMidday })
    if (!artefact || info - trainedOn >= refitDays) {
      artefact = await model.train(history, artefact && { previous: artefact })
      trainedOn = info
    }
    for (const { day, hours, mean } of model.forecast(artefact, history, { days: farthest, step })) {
      const target = dayNumber(day)
      if (target < first || target > last) continue
      const actual = hoursOf(prices, target)
      const scored = hours.map((quantiles, hour) => ({ ...quantiles, actual: actual[hour] as number }))
      rolled.hours.get(target - info)?.push(...scored)
      const whole = prices.means[target - prices.firstDay] as number
      if (mean) rolled.means.get(target - info)?.push({ ...mean, actual: whole })
    }
  }
  return rolled
}

function hoursOf({ firstDay, values }: HourlyPrices, day: DayNumber): Float64Array {
  return values.subarray((day - firstDay) * HOURS, (day - firstDay + 1) * HOURS)
}
