/** Accuracy of forecasts by month, by weekday and by clock hour. */
import { clockHoursOf, hoursInMarketDay } from './market-day.ts'

/** €/MWh, with the actual price. */
export interface Outcome {
  p10: number
  p50: number
  p90: number
  actual: number
  /** Median of the naive forecast. */
  benchmark: number | undefined
}

export interface DayOutcome extends Outcome {
  /** YYYY-MM-DD */
  targetDate: string
}

export interface Accuracy {
  n: number
  mae: number
  /** MAE of the naive forecast, on the same prices; undefined if it is missing for one of them. */
  benchmarkMae: number | undefined
  /** Share of prices between p10 and p90. */
  inside: number
}

/** Hours of a day by elapsed time. */
interface HoursOutcome {
  targetDate: string
  p10: readonly number[]
  p50: readonly number[]
  p90: readonly number[]
  actual: readonly number[]
  benchmark: readonly number[] | undefined
}

/** Accuracy by `YYYY-MM`, in order. */
export function accuracyByMonth(outcomes: readonly DayOutcome[]): Map<string, Accuracy> {
  return accuracyBy(outcomes, ({ targetDate }) => targetDate.slice(0, 'YYYY-MM'.length))
}

/** Accuracy by weekday, from 1 (Monday) to 7 (Sunday). */
export function accuracyByWeekday(outcomes: readonly DayOutcome[]): Map<number, Accuracy> {
  return accuracyBy(outcomes, ({ targetDate }) => Temporal.PlainDate.from(targetDate).dayOfWeek)
}

/** Accuracy by clock hour, 0 to 23. On the change day in October two hours begin at 2 and both count for it; in March none does. */
export function accuracyByHour(days: readonly HoursOutcome[]): Map<number, Accuracy> {
  const hours = days.flatMap(({ targetDate, p10, p50, p90, actual, benchmark }) => {
    const clock = clockHoursOf(hoursInMarketDay(Temporal.PlainDate.from(targetDate)))
    return actual.map((price, i) => ({
      hour: clock[i] as number,
      ...{ p10: p10[i] as number, p50: p50[i] as number, p90: p90[i] as number },
      ...{ actual: price, benchmark: benchmark?.[i] },
    }))
  })
  return accuracyBy(hours, ({ hour }) => hour)
}

function accuracyBy<One extends Outcome, Key extends string | number>(
  outcomes: readonly One[],
  keyOf: (outcome: One) => Key,
): Map<Key, Accuracy> {
  const groups = [...Map.groupBy(outcomes, keyOf)].sort(([a], [b]) => (a < b ? -1 : 1))
  return new Map(groups.map(([key, group]) => [key, accuracyOf(group)]))
}

function accuracyOf(outcomes: readonly Outcome[]): Accuracy {
  const mean = (figure: (outcome: Outcome) => number) =>
    outcomes.reduce((sum, outcome) => sum + figure(outcome), 0) / outcomes.length
  const isCompared = outcomes.every(({ benchmark }) => benchmark !== undefined)
  return {
    n: outcomes.length,
    mae: mean(({ p50, actual }) => Math.abs(p50 - actual)),
    benchmarkMae: isCompared ? mean(({ benchmark, actual }) => Math.abs((benchmark as number) - actual)) : undefined,
    inside: mean(({ p10, p90, actual }) => Number(p10 <= actual && actual <= p90)),
  }
}
