/** Decides when a subject is retrained before its weekly turn: once it has many more publishers' prices, or finally enough. */
import { createHash, type Hash } from 'node:crypto'
import {
  DAYS_AHEAD_MAX,
  FORECAST_SUBJECTS,
  type ForecastAsset,
  type ForecastSubject,
  forecastInputs,
  zoneOf,
} from '../../src/market/forecast-scope.ts'
import type { MarketDay } from '../../src/market/market-day.ts'
import { hasUnrefreshedPrices } from '../../src/store/aggregates.ts'
import type { Sql } from '../../src/store/database.ts'
import { countRealDays, lastTrainedDay, lastTraining } from '../../src/store/forecast-trainings.ts'
import type { PriceVersion } from '../../src/store/price-versions.ts'
import { firstPriceDay } from './load-versions.ts'
import { type Inputs, ownVersions } from './task.ts'

/** Fewer new days than this wait for the weekly training. */
const GROWTH_DAYS_MIN = 60
/** A long history loaded piece by piece causes a few trainings, not one per piece. */
const GROWTH_SHARE_MIN = 0.2

/**
 * Whether an asset or a zone has publishers' prices that were never trained on, or enough new ones for a training. False while an import
 * runs: its end causes another issue, which trains on all of it.
 */
export async function isTrainingDue(sql: Sql, today: MarketDay): Promise<boolean> {
  if (await hasUnrefreshedPrices(sql)) return false
  for (const subject of FORECAST_SUBJECTS) if (await isDue(sql, subject, today)) return true
  return false
}

/** Whether a training is due. However long its history is, a model never falls months behind. */
async function isDue(sql: Sql, subject: ForecastSubject, today: MarketDay): Promise<boolean> {
  const daysFrom = (from: MarketDay) => countRealDays(sql, subject, { from, to: today.add({ days: DAYS_AHEAD_MAX }) })
  const last = await lastTraining(sql, subject)
  if ((await daysFrom(firstPriceDay(subject, today))) >= (last?.againFromDays ?? 1)) return true
  const trainedTo = await lastTrainedDay(sql, subject)
  return trainedTo !== undefined && (await daysFrom(trainedTo.add({ days: 1 }))) >= GROWTH_DAYS_MIN
}

/** Number of days of prices from which an asset trained on `known` days is retrained. `missing`: days another model still needs. */
export function retrainFromDays(known: number, missing = Number.POSITIVE_INFINITY): number {
  return known + Math.min(missing, Math.max(GROWTH_DAYS_MIN, Math.ceil(known * GROWTH_SHARE_MIN)))
}

/** Counts the days of the subject's prices; for hours, those with hours. */
export function countDays(inputs: Inputs, subject: ForecastSubject): number {
  const isHourly = zoneOf(subject) !== undefined
  const known = ownVersions(inputs, subject).filter(({ intervals }) => !isHourly || intervals !== null)
  return new Set(known.map(({ day }) => day)).size
}

/** Identifies a subject's training inputs: every version of its prices and of whatever else its forecasts use. */
export function trainingInputsSha256({ versions, hours }: Inputs, subject: ForecastSubject): string {
  const zone = zoneOf(subject)
  const asset = zone === undefined ? (subject as ForecastAsset) : 'PUN'
  const hash = createHash('sha256')
  for (const input of [asset, ...forecastInputs(asset).map((one) => one.asset)])
    addVersions(hash.update(`${input}\n`), versions[input])
  const ofDays = hash.digest('hex')
  if (zone === undefined || hours === undefined) return ofDays
  const ofHours = addVersions(createHash('sha256').update(ofDays), hours.versions[zone] ?? [])
  for (const { series, area, day, values, knownAtMs } of hours.fundamentals)
    ofHours.update(`${series}|${area}|${day}|${values.join()}|${knownAtMs}\n`)
  return ofHours.digest('hex')
}

function addVersions(hash: Hash, versions: readonly PriceVersion[]): Hash {
  for (const { day, price, fetchedAtMs } of versions) hash.update(`${day}|${price}|${fetchedAtMs}\n`)
  return hash
}
