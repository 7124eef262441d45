/** When an asset is retrained before its weekly turn: on publishers' prices only, once there are many more, or finally enough. */
import { createHash } from 'node:crypto'
import { FORECAST_ASSETS, type ForecastAsset } from '../../src/api/contract/forecasts.ts'
import { DAYS_AHEAD_MAX, type ForecastSubject, forecastInputs, hoursOf } from '../../src/market/forecast-scope.ts'
import type { MarketDay } from '../../src/market/market-day.ts'
import { STORED_ZONES, type ZoneCode } from '../../src/market/zones.ts'
import { hasUnrefreshedPrices } from '../../src/store/aggregates.ts'
import type { Sql } from '../../src/store/database.ts'
import { countRealDays, countRealZoneDays, lastTrainedDay, lastTraining } from '../../src/store/forecast-trainings.ts'
import type { PriceVersion } from '../../src/store/price-versions.ts'
import { firstPriceDay, firstVersionDay } from './load-versions.ts'
import type { HourlyInputs, VersionsByAsset } from './task.ts'

/** Fewer new days than these wait for the weekly training. */
const GROWTH_DAYS_MIN = 60
/** A long history loaded piece by piece causes a few trainings, not one per piece. */
const GROWTH_SHARE_MIN = 0.2

/**
 * Whether an asset or a zone has publishers' prices that were never trained on, or enough new ones to make it worthwhile. Not while an import
 * still runs: its end causes another issue, which trains on all of it.
 */
export async function isTrainingDue(sql: Sql, today: MarketDay): Promise<boolean> {
  if (await hasUnrefreshedPrices(sql)) return false
  const to = today.add({ days: DAYS_AHEAD_MAX })
  for (const asset of FORECAST_ASSETS) {
    const days = (from: MarketDay) => countRealDays(sql, asset, { from, to })
    if (await isDue(sql, asset, firstPriceDay(asset, today), days)) return true
  }
  for (const zone of STORED_ZONES) {
    const days = (from: MarketDay) => countRealZoneDays(sql, zone, { from, to })
    if (await isDue(sql, hoursOf(zone), firstVersionDay(today), days)) return true
  }
  return false
}

/** `daysFrom` counts the days of prices from one on. However long the history is, a model does not stay months behind it. */
async function isDue(
  sql: Sql,
  subject: ForecastSubject,
  first: MarketDay,
  daysFrom: (day: MarketDay) => Promise<number>,
): Promise<boolean> {
  const last = await lastTraining(sql, subject)
  if ((await daysFrom(first)) >= (last?.againFromDays ?? 1)) return true
  const trainedTo = await lastTrainedDay(sql, subject)
  return trainedTo !== undefined && (await daysFrom(trainedTo.add({ days: 1 }))) >= GROWTH_DAYS_MIN
}

/** Number of days of prices from which an asset trained on `known` days is retrained. `missing`: days another model still needs. */
export function againFromDays(known: number, missing = Number.POSITIVE_INFINITY): number {
  return known + Math.min(missing, Math.max(GROWTH_DAYS_MIN, Math.ceil(known * GROWTH_SHARE_MIN)))
}

export function countDays(versions: VersionsByAsset, asset: ForecastAsset): number {
  return new Set(versions[asset].map(({ day }) => day)).size
}

/** Days with hours. */
export function countZoneDays(versions: readonly PriceVersion[]): number {
  return new Set(versions.flatMap(({ day, intervals }) => (intervals === null ? [] : [day]))).size
}

/** Identifies an asset's training inputs: every version of its prices and of those that its forecasts use. */
export function trainingInputsSha256(versions: VersionsByAsset, asset: ForecastAsset): string {
  const hash = createHash('sha256')
  for (const input of [asset, ...forecastInputs(asset).map((one) => one.asset)]) {
    hash.update(`${input}\n`)
    for (const { day, price, fetchedAtMs } of versions[input]) hash.update(`${day}|${price}|${fetchedAtMs}\n`)
  }
  return hash.digest('hex')
}

/** The same of the hours of a zone. */
export function hourlyTrainingInputsSha256(
  versions: VersionsByAsset,
  { versions: zones, fundamentals }: HourlyInputs,
  zone: ZoneCode,
): string {
  const hash = createHash('sha256').update(trainingInputsSha256(versions, 'PUN'))
  for (const { day, price, fetchedAtMs } of zones[zone] ?? []) hash.update(`${day}|${price}|${fetchedAtMs}\n`)
  for (const { series, area, day, values, knownAtMs } of fundamentals)
    hash.update(`${series}|${area}|${day}|${values.join()}|${knownAtMs}\n`)
  return hash.digest('hex')
}
