/** When an asset is trained again before its weekly turn: on publishers' prices alone, when there are many more, or at last enough. */
import { createHash } from 'node:crypto'
import { FORECAST_ASSETS, type ForecastAsset } from '../../src/api/contract/forecasts.ts'
import { DAYS_AHEAD_MAX, forecastInputs } from '../../src/market/forecast-scope.ts'
import type { MarketDay } from '../../src/market/market-day.ts'
import type { Sql } from '../../src/store/database.ts'
import { countRealDays, lastTraining } from '../../src/store/forecast-trainings.ts'
import { firstVersionDay } from './load-versions.ts'
import type { VersionsByAsset } from './task.ts'

/** Fewer new days than these wait for the weekly training. */
const GROWTH_DAYS_MIN = 60
/** A long history that is loaded piece by piece is trained on a few times, not with each piece. */
const GROWTH_SHARE_MIN = 0.2

/** Whether an asset has publishers' prices that were never trained on, or so many more that it is worth while. */
export async function isTrainingDue(sql: Sql, today: MarketDay): Promise<boolean> {
  const span = { from: firstVersionDay(today), to: today.add({ days: DAYS_AHEAD_MAX }) }
  for (const asset of FORECAST_ASSETS) {
    const days = await countRealDays(sql, asset, span)
    const last = await lastTraining(sql, asset)
    if (days >= (last?.againFromDays ?? 1)) return true
  }
  return false
}

/** Days of prices with which an asset that is trained on so many is trained again. `missing`: so many more would let another model learn. */
export function againFromDays(known: number, missing = Number.POSITIVE_INFINITY): number {
  return known + Math.min(missing, Math.max(GROWTH_DAYS_MIN, Math.ceil(known * GROWTH_SHARE_MIN)))
}

export function countDays(versions: VersionsByAsset, asset: ForecastAsset): number {
  return new Set(versions[asset].map(({ day }) => day)).size
}

/** Names what an asset's models learn from: every version of its prices and of those that its forecasts look at. */
export function trainingInputsSha256(versions: VersionsByAsset, asset: ForecastAsset): string {
  const hash = createHash('sha256')
  for (const input of [asset, ...forecastInputs(asset).map((one) => one.asset)]) {
    hash.update(`${input}\n`)
    for (const { day, price, fetchedAtMs } of versions[input]) hash.update(`${day}|${price}|${fetchedAtMs}\n`)
  }
  return hash.digest('hex')
}
