/** The models' input: eight years of every asset's prices, longer than any of them looks back, and the national holidays. */
import { FORECAST_ASSETS, type ForecastAsset } from '../../src/api/contract/forecasts.ts'
import type { MarketDay } from '../../src/market/market-day.ts'
import { NATIONAL_ZONE, type ZoneCode } from '../../src/market/zones.ts'
import type { Sql } from '../../src/store/database.ts'
import { nationalHolidays } from '../../src/store/holidays.ts'
import { priceVersions, zoneVersions } from '../../src/store/price-versions.ts'
import type { HourlyInputs, Prices, VersionsByAsset } from './task.ts'

const YEARS = 8
/** Of holidays to come: longer than forecasts reach. */
const YEARS_AHEAD = 2

export interface LoadedVersions extends Pick<Prices, 'versions' | 'holidays'> {
  /** Whether all input prices are synthetic; where any asset's prices are real, none are. */
  synthetic: boolean
}

/** The first day of the models' input. */
export function firstVersionDay(today: MarketDay, years = YEARS): MarketDay {
  return today.subtract({ years })
}

/** Of the `years` before `today`. Synthetic prices are left out where the prices of any asset are real. */
export async function loadVersions(sql: Sql, today: MarketDay, years = YEARS): Promise<LoadedVersions> {
  const from = firstVersionDay(today, years)
  const loaded = new Map<ForecastAsset, Awaited<ReturnType<typeof priceVersions>>>()
  for (const asset of FORECAST_ASSETS) loaded.set(asset, await priceVersions(sql, asset, from))
  const known = [...loaded.values()].filter(({ versions }) => versions.length > 0)
  const synthetic = known.every((one) => one.synthetic)
  const versions = [...loaded].map(([asset, one]) => [asset, one.synthetic === synthetic ? one.versions : []] as const)
  const holidays = await nationalHolidays(sql, from.with({ month: 1, day: 1 }), today.add({ years: YEARS_AHEAD }))
  return { synthetic, versions: Object.fromEntries(versions) as VersionsByAsset, holidays }
}

/** Of market zones, from that day on; the PUN's hours are among the daily prices. Zones of the other kind of prices are left empty. */
export async function loadHours(
  sql: Sql,
  zones: readonly ZoneCode[],
  from: MarketDay,
  synthetic: boolean,
): Promise<HourlyInputs> {
  const versions: HourlyInputs['versions'] = {}
  for (const zone of zones) {
    if (zone === NATIONAL_ZONE) continue
    const loaded = await zoneVersions(sql, zone, from)
    versions[zone] = loaded.synthetic === synthetic ? loaded.versions : []
  }
  return { versions, fundamentals: [] }
}
