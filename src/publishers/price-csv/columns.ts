/** Columns of a price file by zone, asset or date. The README of this folder documents them. */
import { ASSET_CODES, ASSETS, type AssetCode } from '../../market/assets.ts'
import type { ResolutionMinutes } from '../../market/market-day.ts'
import { isZoneCode, NATIONAL_ZONE, type ZoneCode } from '../../market/zones.ts'

export const DATE_COLUMNS = ['date', 'flow_date', 'gas_day', 'auction_date', 'trade_date', 'day'] as const

/** The hour: optional next to quarter-hours, but must agree with them if given. */
export const HOUR_COLUMN = 'ora'

/** Columns that number the intervals of a day from 1, by elapsed time, finest first; a file with any of them has a row per interval. */
export const ORDINAL_COLUMNS: ReadonlyMap<string, ResolutionMinutes> = new Map([
  ['quarter', 15],
  ['periodo', 15],
  [HOUR_COLUMN, 60],
])

/** UTC start of the interval: optional, but must agree with day and ordinal if given. */
export const START_COLUMN = 'start_utc'

/** The auctioned product used as the price of CO2: general allowances since 2013. Aviation (EAA…) and older ones are not used. */
export const CO2_CONTRACT = 'T3PA'
export const CONTRACT_COLUMN = 'contract'
export const AUCTION_VOLUME_COLUMN = 'auction_volume_tco2'

/** Column names used in publishers' datasets, best first; `<asset>` and `<asset>_<unit>` come after them. */
const PUBLISHED_COLUMNS: Record<AssetCode, readonly string[]> = {
  PUN: ['pun_daily_mean_eur_mwh'],
  PSV: ['mgp_gas_continuous_wavg_eur_mwh'],
  TTF: ['ttf_eod_settlement_eur_mwh', 'ttf_egsi_eur_mwh'],
  Brent: ['brent_spot_usd_bbl'],
  CO2: ['auction_price_eur_tco2'],
}

const UNIT_NAMES = { '€/MWh': 'eur_mwh', '$/bbl': 'usd_bbl', '€/tCO2': 'eur_tco2' } as const

/** `pun` and `pun_eur_mwh` are the national zone, `nord` and `nord_eur_mwh` that zone; undefined for anything else. */
export function zoneOfColumn(column: string): ZoneCode | undefined {
  const name = column.replace(/_eur_mwh$/, '')
  if (name === 'pun') return NATIONAL_ZONE
  return isZoneCode(name) ? name : undefined
}

/** Names of columns with prices of the asset, best first. */
export function columnsOf(asset: AssetCode): string[] {
  const { slug, nativeUnit } = ASSETS[asset]
  return [...PUBLISHED_COLUMNS[asset], slug, `${slug}_${UNIT_NAMES[nativeUnit]}`]
}

/** Generic names of price columns, which do not identify the asset; best first. */
export function genericColumnsOf(asset: AssetCode): string[] {
  return [`price_${UNIT_NAMES[ASSETS[asset].nativeUnit]}`, 'price', 'close']
}

/** Returns the asset that the column's name identifies. */
export function assetOfColumn(column: string): AssetCode | undefined {
  return ASSET_CODES.find((asset) => columnsOf(asset).includes(column))
}

/** Returns the only asset that is a whole word of the file name: `ttf_front_month_daily.csv` is TTF. */
export function assetInFileName(fileName: string): AssetCode | undefined {
  const words = fileName.toLowerCase().split(/[^a-z0-9]+/)
  const named = ASSET_CODES.filter((asset) => words.includes(ASSETS[asset].slug))
  return named.length === 1 ? named[0] : undefined
}
