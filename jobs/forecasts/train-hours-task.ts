/**
 * Trains the hourly models of a zone and selects the active one. Each is tested on the next day of the last 60 evening issues, with an artefact
 * that had not seen them: one of earlier weeks or, the first time, one trained as of 60 days ago.
 */

import { type DayNumber, dayNumber, marketDay } from '../../models/calendar.ts'
import { historyAt, type PriceRecord, recordFrom } from '../../models/history.ts'
import { type HourlyHistory, hourOn, lastPricedDay } from '../../models/hourly/history.ts'
import type { HourlyArtefact, HourlyDayForecast, HourlyModel } from '../../models/hourly/model.ts'
import { type HourlyRecord, hourlyHistoryAt, hourlyRecordFrom } from '../../models/hourly/record.ts'
import { stepsFor } from '../../models/hourly/steps.ts'
import { coverage, mae, pinball, type Scored } from '../../models/metrics.ts'
import { type HoursOfZone, TooLittleHistory, TrainingDiverged } from '../../models/model.ts'
import { HOURLY_LOOK_BACK_DAYS } from '../../src/market/forecast-scope.ts'
import type { ZoneCode } from '../../src/market/zones.ts'
import { artefactBytes, artefactOf } from './artefact-bytes.ts'
import { hourlyRecord } from './hourly-record.ts'
import { hourlyModels } from './issue-hours.ts'
import { pastIssues } from './past-issues.ts'
import { priceRecord } from './price-record.ts'
import { selectModel } from './promotion.ts'
import { TEST_DAYS, type TestErrors, type TrainedModel, type TrainHoursResult, type TrainHoursTask } from './task.ts'

/** Lost days are made up for. */
const SPARE_DAYS = 10

/** Calls `onTraining` at the start of each training. */
export async function runTrainHoursTask(
  task: TrainHoursTask,
  models: readonly HourlyModel[],
  onTraining: (model: string) => void = () => {},
): Promise<TrainHoursResult> {
  const { zone } = task
  const now = Temporal.Instant.fromEpochMilliseconds(task.nowMs)
  const record = priceRecord(task)
  const hours = hourlyRecord(task.hours)
  const history = hourlyHistoryAt(hours, historyAt(record, now), zone)
  const { trained: candidates, naive } = hourlyModels(models)
  const trained: TrainedModel[] = []
  const failed: TrainHoursResult['failed'] = []
  const errors: Record<string, TestErrors> = {}
  const missing: number[] = []
  if (candidates.length > 0) {
    const test = testIssues(record, hours, zone, lastPricedDay(history.prices) ?? 0)
    const [first] = test
    const whole = (past: HourlyHistory) => hourlyHistoryAt(hours, historyAt(record, past.knownAt), zone)
    errors[naive.id] = await testOf(naive, test, history, (past) => naive.train(past))
    for (const model of candidates) {
      try {
        if (first === undefined) throw new TooLittleHistory(`hours:${zone}`, model.daysNeeded + TEST_DAYS, 0)
        const stored = usable(task, model)
        const earlier =
          stored.find((artefact) => trainedBefore(artefact, first)) ?? (await train(model, whole(first), undefined))
        if (!stored.includes(earlier)) trained.push(describe(earlier))
        errors[model.id] = await testOf(model, test, history, async () => earlier)
        trained.push(describe(await train(model, history, stored[0] ?? earlier)))
      } catch (err) {
        if (err instanceof TooLittleHistory) missing.push(err.daysNeeded - err.daysKnown)
        failed.push(failureOf(model, err))
      }
    }
  }
  const able = candidates.map(({ id }) => id).filter((id) => errors[id] !== undefined)
  const { activeModel, reason } = selectModel(naive.id, naive.id, able, errors)
  const missingDays = missing.length === 0 ? undefined : Math.max(1, Math.min(...missing))
  return { kind: 'train-hours', zone, activeModel, reason, errors, trained, failed, missingDays }

  function train(model: HourlyModel, known: HourlyHistory, previous: HourlyArtefact | undefined) {
    onTraining(model.id)
    return model.train(known, previous && { previous })
  }
}

/** The last issues before the last day, each with as much of the past as an issue reads. */
function testIssues(record: PriceRecord, hours: HourlyRecord, zone: ZoneCode, last: DayNumber): HourlyHistory[] {
  const first = last - TEST_DAYS - SPARE_DAYS
  const from = marketDay(first - HOURLY_LOOK_BACK_DAYS)
  const [recent, recentHours] = [recordFrom(record, from), hourlyRecordFrom(hours, from)]
  const issues: HourlyHistory[] = []
  for (const { history } of pastIssues(recent, 'PUN', first, last - 1)) {
    const past = hourlyHistoryAt(recentHours, history, zone)
    if (lastPricedDay(past.prices) !== undefined) issues.push(past)
  }
  return issues.slice(-TEST_DAYS)
}

function failureOf({ id }: HourlyModel, err: unknown): TrainHoursResult['failed'][number] {
  if (err instanceof TrainingDiverged) return { model: id, outcome: 'diverged', reason: err.message }
  if (err instanceof TooLittleHistory) return { model: id, outcome: 'too_little_history', reason: err.message }
  throw err
}

/** The errors of the next day's hours; `n` counts the days. */
async function testOf(
  model: HourlyModel,
  issues: readonly HourlyHistory[],
  outcomes: HourlyHistory,
  artefactOfIssue: (past: HourlyHistory) => Promise<HourlyArtefact>,
): Promise<TestErrors> {
  const scored: Scored[] = []
  let n = 0
  for (const past of issues) {
    const artefact = await artefactOfIssue(past).catch(undefinedIfTooLittle)
    const next = artefact && nextDay(model, artefact, past)
    const hours = next === undefined ? [] : scoredHours(next, outcomes)
    if (hours.length > 0) n++
    scored.push(...hours)
  }
  return { n, mae: mae(scored), pinball: pinball(scored), coverage80: coverage(scored) }
}

function undefinedIfTooLittle(err: unknown): undefined {
  if (!(err instanceof TooLittleHistory)) throw err
}

function nextDay(model: HourlyModel, artefact: HourlyArtefact, past: HourlyHistory): HourlyDayForecast | undefined {
  const target = (lastPricedDay(past.prices) as number) + 1
  for (const step of stepsFor(past.fundamentals, target)) {
    if (!model.steps.includes(step)) continue
    try {
      return model.forecast(artefact, past, { days: 1, step })[0]
    } catch (err) {
      if (!(err instanceof TooLittleHistory)) throw err
    }
  }
  return undefined
}

function scoredHours({ day, hours }: HourlyDayForecast, { prices }: HourlyHistory): Scored[] {
  return hours.flatMap((quantiles, hour) => {
    const actual = hourOn(prices, dayNumber(day), hour)
    return Number.isNaN(actual) ? [] : [{ ...quantiles, actual }]
  })
}

function trainedBefore({ span }: HourlyArtefact, { prices }: HourlyHistory): boolean {
  return dayNumber(Temporal.PlainDate.from(span.to)) <= (lastPricedDay(prices) as number)
}

/** Those of the model's present version, newest first. */
function usable({ artefacts }: TrainHoursTask, model: HourlyModel): HourlyArtefact[] {
  return artefacts
    .filter((stored) => stored.model === model.id && stored.version === model.version)
    .map(({ content }) => artefactOf<HoursOfZone>(content))
}

function describe(artefact: HourlyArtefact): TrainedModel {
  const { model, version, span, backend, metrics } = artefact
  return { model, version, dataFrom: span.from, dataTo: span.to, backend, metrics, content: artefactBytes(artefact) }
}
