/**
 * The hours before a target in few numbers, for trees: they split one column at a time and do not add hours up. All relative to the mean of
 * the day they are from or, as the other features, to the level of the week before.
 */
import { type DayNumber, weekday } from '../calendar.ts'
import type { MarketView } from './market-view.ts'

const HOURS = 24
const BLOCK_HOURS = 4
const LAGS = [1, 2, 3, 7]
const EXTREME_LAGS = [1, 7]
const SATURDAY = 5
const SUNDAY = 6
/** When the sun lowers prices most. */
const NOON = { from: 11, to: 16 }
const REST_DIP_DAYS = 28
/** Within so many days there are working days and days of rest. */
const KIND_DAYS = 14

/** For a target and the level of the week before it; nothing later than the day before the target but the calendar. */
export function daySummaries({ pun, hours, holidays }: MarketView): (target: DayNumber, level: number) => number[] {
  const priceOn = (day: DayNumber) => pun.filled[day - pun.firstDay] ?? Number.NaN
  const hoursOn = (day: DayNumber, from: number, to: number) => {
    const start = (day - pun.firstDay) * HOURS
    return hours.subarray(start + from, start + to)
  }
  const isRest = (day: DayNumber) => weekday(day) >= SATURDAY || holidays.has(day)
  const noonDip = (day: DayNumber) => meanOf(hoursOn(day, NOON.from, NOON.to)) - priceOn(day)
  const lastOfKind = (target: DayNumber, rest: boolean) =>
    daysBefore(target, KIND_DAYS).find((day) => isRest(day) === rest) ?? target - KIND_DAYS

  function shapes(target: DayNumber, level: number): number[] {
    const blocks = LAGS.flatMap((lag) =>
      Array.from({ length: HOURS / BLOCK_HOURS }, (_, block) => {
        const from = block * BLOCK_HOURS
        return meanOf(hoursOn(target - lag, from, from + BLOCK_HOURS)) - priceOn(target - lag)
      }),
    )
    const extremes = EXTREME_LAGS.flatMap((lag) => {
      const day = hoursOn(target - lag, 0, HOURS)
      return [Math.min(...day) - level, Math.max(...day) - level]
    })
    return [...blocks, ...extremes]
  }

  function kinds(target: DayNumber, level: number): number[] {
    const [rest, work] = [lastOfKind(target, true), lastOfKind(target, false)]
    const [isBefore, isOn, isAfter] = [isRest(target - 1), isRest(target), isRest(target + 1)]
    const flags = [
      isOn,
      weekday(target) === SUNDAY || holidays.has(target),
      isBefore && !isOn,
      (isBefore || isAfter) && !isOn,
    ]
    return [
      priceOn(rest) - level,
      priceOn(work) - level,
      priceOn(isOn ? rest : work) - level,
      target - rest,
      target - work,
      weekday(target),
      ...flags.map(Number),
    ]
  }

  function dips(target: DayNumber): number[] {
    const lastWeek = meanOf(daysBefore(target, 7).map(noonDip))
    const weekBefore = meanOf(daysBefore(target - 7, 7).map(noonDip))
    const restDays = daysBefore(target, REST_DIP_DAYS).filter(isRest)
    return [lastWeek, lastWeek - weekBefore, noonDip(target - 1) - lastWeek, meanOf(restDays.map(noonDip))]
  }

  return (target, level) => [...shapes(target, level), ...kinds(target, level), ...dips(target)]
}

/** The last one first. */
function daysBefore(target: DayNumber, count: number): DayNumber[] {
  return Array.from({ length: count }, (_, back) => target - 1 - back)
}

function meanOf(values: ArrayLike<number>): number {
  let sum = 0
  for (let index = 0; index < values.length; index++) sum += values[index] as number
  return sum / values.length
}
