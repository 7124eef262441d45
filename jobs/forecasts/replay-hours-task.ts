/** Replays an issue of hours for each past market day with only what was known then; trained models are retrained every 28 days. */
import { dayNumber, marketDay } from '../../models/calendar.ts'
import { historyAt } from '../../models/history.ts'
import { type HourlyHistory, hourOn, lastPricedDay } from '../../models/hourly/history.ts'
import type { HourlyModel } from '../../models/hourly/model.ts'
import { hourlyHistoryAt } from '../../models/hourly/record.ts'
import { TooLittleHistory } from '../../models/model.ts'
import { INPUT_STEPS, issueAt } from '../../src/market/forecast-scope.ts'
import { clockHoursOf, hoursInMarketDay } from '../../src/market/market-day.ts'
import { hourlyRecord } from './hourly-record.ts'
import { type HourlyState, hourlyModels, makeHours } from './issue-hours.ts'
import { stateName } from './predict.ts'
import { priceRecord } from './price-record.ts'
import type { ReplayedHours, ReplayHoursResult, ReplayHoursTask } from './task.ts'

const REFIT_DAYS = 28

export async function runReplayHoursTask(
  task: ReplayHoursTask,
  models: readonly HourlyModel[],
  onDay: (day: string) => void,
): Promise<ReplayHoursResult> {
  const { zone, issue } = task
  const now = Temporal.Instant.fromEpochMilliseconds(task.nowMs)
  const [record, hours] = [priceRecord(task), hourlyRecord(task.hours)]
  const outcomes = hourlyHistoryAt(hours, historyAt(record, now), zone)
  const own = hourlyModels(models)
  const steps = INPUT_STEPS.slice(INPUT_STEPS.indexOf(task.inputs))
  const [first, last] = [task.from, task.to].map((day) => dayNumber(Temporal.PlainDate.from(day))) as [number, number]
  const forecasts: ReplayedHours[] = []
  let states: HourlyState[] = []
  let trainedOn = Number.NEGATIVE_INFINITY
  for (let info = first; info <= last; info++) {
    const at = issueAt(issue, marketDay(info))
    const history = hourlyHistoryAt(hours, historyAt(record, at), zone)
    if (lastPricedDay(history.prices) !== info) continue
    if (!task.untrained && info - trainedOn >= REFIT_DAYS) {
      states = await trainAll(own.trained, history, states)
      trainedOn = info
    }
    const made = await makeHours(history, states, own, steps).catch((err) => {
      if (err instanceof TooLittleHistory) return []
      throw err
    })
    const infoDate = marketDay(info).toString()
    forecasts.push(
      ...made.map(({ mean: _, ...day }) => ({
        ...{ ...day, infoDate, issuedAtMs: at.epochMilliseconds },
        actual: actualHours(outcomes, day.targetDate),
      })),
    )
    onDay(infoDate)
  }
  return { kind: 'replay-hours', forecasts }
}

async function trainAll(models: readonly HourlyModel[], history: HourlyHistory, before: readonly HourlyState[]) {
  const states: HourlyState[] = []
  for (const model of models) {
    const previous = before.find((state) => state.model === model)?.artefact
    try {
      const artefact = await model.train(history, previous && { previous })
      states.push({ model, artefact, state: stateName({ dataTo: artefact.span.to }) })
    } catch (err) {
      if (!(err instanceof TooLittleHistory)) throw err
    }
  }
  return states
}

/** Undefined where an hour is missing. The double hour of October comes out as its mean, twice. */
function actualHours({ prices }: HourlyHistory, targetDate: string): number[] | undefined {
  const day = Temporal.PlainDate.from(targetDate)
  const hours = clockHoursOf(hoursInMarketDay(day)).map((clock) => hourOn(prices, dayNumber(day), clock))
  return hours.some(Number.isNaN) ? undefined : hours
}
