/** Makes the forecasts of one issue: the active model's and the benchmark's, each as far as forecasts reach, days and hours that agree. */
import { createHash } from 'node:crypto'
import { marketDay } from '../../models/calendar.ts'
import { type History, historyAt } from '../../models/history.ts'
import { lastPricedDay } from '../../models/hourly/history.ts'
import type { HourlyModel } from '../../models/hourly/model.ts'
import { learnQuarterShape } from '../../models/hourly/quarter-shape.ts'
import { type HourlyRecord, hourlyHistoryAt } from '../../models/hourly/record.ts'
import { FORECAST_ASSETS, type ForecastAsset, type ForecastModel, TooLittleHistory } from '../../models/model.ts'
import { HOURLY_LOOK_BACK_DAYS } from '../../src/market/forecast-scope.ts'
import { marketDayOf } from '../../src/market/market-day.ts'
import { NATIONAL_ZONE } from '../../src/market/zones.ts'
import { artefactOf } from './artefact-bytes.ts'
import { hourlyRecord } from './hourly-record.ts'
import { type HourlyModels, hourlyInputsSha256, hourlyModels, hourlyStates, makeHours } from './issue-hours.ts'
import { infoDay, type Models, modelsFor, predict, retrainAndPredict, stateName } from './predict.ts'
import { priceRecord } from './price-record.ts'
import { reconcile } from './reconcile.ts'
import {
  type ArtefactBytes,
  type AssetIssue,
  type IssueResult,
  type IssueTask,
  type MadeForecast,
  type Rejection,
  versionsFrom,
  type ZoneIssue,
  type ZoneRejection,
  type ZoneRequest,
} from './task.ts'

/** Of past output from weather runs: models look at what has come since they were trained. */
const OUTPUT_DAYS = 120

export async function runIssueTask(
  task: IssueTask,
  models: readonly ForecastModel[],
  modelsOfHours: readonly HourlyModel[],
): Promise<IssueResult> {
  const now = Temporal.Instant.fromEpochMilliseconds(task.nowMs)
  const history = historyAt(priceRecord(task), now)
  const assets: IssueResult['assets'] = []
  for (const request of task.assets) assets.push(await issueOf(request, modelsFor(models, request.asset), history))
  const zones: IssueResult['zones'] = []
  if (task.hours !== undefined) {
    const outputFrom = marketDayOf(now).subtract({ days: OUTPUT_DAYS })
    const [record, hourly] = [hourlyRecord(task.hours, outputFrom), hourlyModels(modelsOfHours)]
    const recent = versionsFrom(task.versions, marketDayOf(now).subtract({ days: HOURLY_LOOK_BACK_DAYS }))
    const daily = historyAt(priceRecord({ ...task, versions: recent }), now)
    for (const request of task.hours.zones)
      zones.push(await hoursOfZone(request, hourly, { history: daily, record, task }))
  }
  return { kind: 'issue', ...reconcileDayAndHours(assets, zones) }
}

async function hoursOfZone(
  { zone, artefacts }: ZoneRequest,
  models: HourlyModels,
  { history: daily, record, task }: { history: History; record: HourlyRecord; task: IssueTask },
): Promise<ZoneIssue | ZoneRejection> {
  try {
    const history = hourlyHistoryAt(record, daily, zone)
    const { states, used, problems } = hourlyStates(artefacts, models)
    const forecasts = await makeHours(history, states, models)
    const versions = zone === NATIONAL_ZONE ? task.versions.PUN : (task.hours?.versions[zone] ?? [])
    const newest = new Map(versions.map(({ day, intervals }) => [day, { day, intervals: intervals ?? [] }]))
    return {
      zone,
      outcome: 'made',
      infoDate: marketDay(lastPricedDay(history.prices) as number).toString(),
      inputsSha256: hourlyInputsSha256(history, used),
      forecasts,
      quarterShape: learnQuarterShape([...newest.values()]),
      artefactProblems: problems,
    }
  } catch (err) {
    if (err instanceof TooLittleHistory) return { zone, outcome: 'rejected', reason: err.message }
    throw err
  }
}

/** The PUN's days and hours where both are made: what the one knew belongs to the inputs of the other that it moves. */
function reconcileDayAndHours(
  assets: IssueResult['assets'],
  zones: IssueResult['zones'],
): Pick<IssueResult, 'assets' | 'zones'> {
  const day = assets.find(({ asset }) => asset === 'PUN')
  const hours = zones.find(({ zone }) => zone === NATIONAL_ZONE)
  if (day?.outcome !== 'made' || hours?.outcome !== 'made' || day.infoDate !== hours.infoDate) return { assets, zones }
  const { daily, hours: forecasts, hoursDecided } = reconcile(day.forecasts, hours.forecasts)
  const both = sha256Of(`${day.inputsSha256}|${hours.inputsSha256}`)
  const agreedDay = { ...day, forecasts: daily, inputsSha256: hoursDecided ? both : day.inputsSha256 }
  return {
    assets: assets.map((one) => (one === day ? agreedDay : one)),
    zones: zones.map((one) => (one === hours ? { ...hours, forecasts, inputsSha256: both } : one)),
  }
}

async function issueOf(
  { asset, model, artefacts }: IssueTask['assets'][number],
  models: Models,
  history: History,
): Promise<AssetIssue | Rejection> {
  try {
    const info = infoDay(history, asset, models.base)
    const known = { asset, history, info }
    const prediction = await published(
      artefacts,
      model === models.benchmark.id ? models.benchmark : models.base,
      models,
      known,
    )
    const benchmark = await retrainAndPredict('benchmark', models.benchmark, known)
    const made = prediction.forecasts
    return {
      asset,
      outcome: 'made',
      infoDate: (made[0] as MadeForecast).infoDate,
      inputsSha256: inputsSha256(history, prediction.artefact),
      forecasts: [...made, ...benchmark],
      artefactProblems: prediction.problems,
    }
  } catch (err) {
    if (err instanceof TooLittleHistory) return { asset, outcome: 'rejected', reason: err.message }
    throw err
  }
}

/** Uses the newest sound artefact; without one, a model that needs none. */
async function published(
  artefacts: readonly ArtefactBytes[],
  fallback: ForecastModel,
  models: Models,
  known: { asset: ForecastAsset; history: History; info: number },
): Promise<{ forecasts: MadeForecast[]; artefact: ArtefactBytes | undefined; problems: string[] }> {
  const problems: string[] = []
  for (const artefact of artefacts) {
    try {
      return { forecasts: predictFromArtefact(artefact, models, known), artefact, problems }
    } catch (err) {
      // Another version's, damaged, or too little history for it: the event gives the reason.
      if (!(err instanceof RangeError || err instanceof SyntaxError || err instanceof TooLittleHistory)) throw err
      problems.push(err.message)
    }
  }
  return { forecasts: await retrainAndPredict('published', fallback, known), artefact: undefined, problems }
}

function predictFromArtefact(
  stored: ArtefactBytes,
  { trained }: Models,
  known: { asset: ForecastAsset; history: History; info: number },
): MadeForecast[] {
  const model = trained.find(({ id }) => id === stored.model)
  if (model === undefined) throw new RangeError(`there is no model ${stored.model} for ${known.asset} any more`)
  const artefact = artefactOf(stored.content)
  return predict({ ...known, role: 'published', model, artefact, state: stateName(stored) })
}

/** SHA-256 over each asset's name, first day and prices as little-endian doubles, and over the artefact where one was used. */
function inputsSha256(history: History, artefact: ArtefactBytes | undefined): string {
  const hash = createHash('sha256')
  for (const asset of FORECAST_ASSETS) {
    const { firstDay, prices } = history.series[asset]
    const bytes = new DataView(new ArrayBuffer(prices.length * 8))
    prices.forEach((price, i) => {
      bytes.setFloat64(i * 8, price, true)
    })
    hash.update(`${asset}|${firstDay}|`, 'utf8').update(bytes)
  }
  if (artefact !== undefined) hash.update(artefact.content)
  return hash.digest('hex')
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
