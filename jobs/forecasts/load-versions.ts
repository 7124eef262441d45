/** The models' input: prices over a longer period than any of them looks back, and the national holidays. */
import { FORECAST_ASSETS, type ForecastAsset } from '../../src/api/contract/forecasts.ts'
import {
  type ForecastSubject,
  HOURLY_DRIVERS,
  HOURLY_LOOK_BACK_DAYS,
  OUTPUT_INPUTS,
  OUTPUT_LOOK_BACK_DAYS,
  zoneOf,
} from '../../src/market/forecast-scope.ts'
import { ITALY, NEIGHBOURS } from '../../src/market/fundamentals.ts'
import { type MarketDay, marketDayOf } from '../../src/market/market-day.ts'
import { NATIONAL_ZONE, type ZoneCode } from '../../src/market/zones.ts'
import type { Sql } from '../../src/store/database.ts'
import { type FundamentalVersion, fundamentalVersions } from '../../src/store/fundamentals.ts'
import { priceVersions, zoneVersions } from '../../src/store/price-versions.ts'
import { nationalHolidays } from '../../src/store/zone-prices.ts'
import type { HourlyInputs, Inputs, VersionsByAsset } from './task.ts'

const YEARS = 8
/** Years of PUN prices, for the past errors behind the bands of its curve (`models/bands/scaled-bands.ts`). */
const PUN_YEARS = 21
/** Reaches beyond any forecast of the price drivers. */
const ALL_YEARS = 200
/** Years of future holidays: longer than forecasts reach. */
const YEARS_AHEAD = 2

export interface LoadedVersions extends Pick<Inputs, 'versions' | 'holidays'> {
  /** Whether all input prices are synthetic; if any asset's prices are real, none are. */
  synthetic: boolean
}

/** The first day of the models' input. */
export function firstVersionDay(today: MarketDay, years = YEARS): MarketDay {
  return today.subtract({ years })
}

/** The first day of a subject's prices. */
export function firstPriceDay(subject: ForecastSubject, today: MarketDay, years = YEARS): MarketDay {
  return firstVersionDay(today, subject === 'PUN' ? Math.max(PUN_YEARS, years) : years)
}

/** Loads the prices of the `years` before `today`, more for the PUN. Synthetic prices are left out if any asset's prices are real. */
export async function loadVersions(sql: Sql, today: MarketDay, years = YEARS): Promise<LoadedVersions> {
  const loaded = new Map<ForecastAsset, Awaited<ReturnType<typeof priceVersions>>>()
  for (const asset of FORECAST_ASSETS)
    loaded.set(asset, await priceVersions(sql, asset, firstPriceDay(asset, today, years)))
  const known = [...loaded.values()].filter(({ versions }) => versions.length > 0)
  const synthetic = known.every((one) => one.synthetic)
  const versions = [...loaded].map(([asset, one]) => [asset, one.synthetic === synthetic ? one.versions : []] as const)
  const holidays = await nationalHolidays(
    sql,
    firstPriceDay('PUN', today, years).with({ month: 1, day: 1 }),
    today.add({ years: YEARS_AHEAD }),
  )
  return { synthetic, versions: Object.fromEntries(versions) as VersionsByAsset, holidays }
}

/** Returns the inputs of these subjects' models at that instant; hourly ones start at `from`. */
export async function inputsAt(
  sql: Sql,
  now: Temporal.Instant,
  subjects: readonly ForecastSubject[],
  { versions, holidays, synthetic }: LoadedVersions,
  from = marketDayOf(now).subtract({ days: HOURLY_LOOK_BACK_DAYS }),
): Promise<Inputs> {
  const zones = subjects.flatMap((subject) => zoneOf(subject) ?? [])
  const hours = zones.length > 0 && { hours: await loadHours(sql, zones, from, synthetic) }
  return { versions, holidays, nowMs: now.epochMilliseconds, ...hours }
}

/**
 * Loads the hours of market zones from that day on, with forecasts of their price drivers; the PUN's hours are among the daily prices. A
 * zone is left empty if its prices do not match `synthetic`; synthetic prices have no drivers.
 */
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
  return { versions, fundamentals: synthetic ? [] : await loadDrivers(sql, zones, from) }
}

async function loadDrivers(sql: Sql, zones: readonly ZoneCode[], from: MarketDay): Promise<FundamentalVersion[]> {
  const ofZones = zones.flatMap((zone) => (zone === NATIONAL_ZONE ? [] : [zone]))
  const areas = [ITALY, ...ofZones, ...NEIGHBOURS] as const
  const to = from.add({ years: ALL_YEARS })
  const outputs = Object.values(OUTPUT_INPUTS).flatMap((inputs) => Object.values(inputs))
  const outputFrom = from.subtract({ days: OUTPUT_LOOK_BACK_DAYS })
  return [
    ...(await fundamentalVersions(sql, { series: Object.values(HOURLY_DRIVERS), areas, from, to })),
    ...(await fundamentalVersions(sql, { series: outputs, areas: [ITALY, ...ofZones], from: outputFrom, to })),
  ]
}
