/** ENTSO-E's codes in document types A44 (prices), A65 (load), A69 (wind and solar forecasts), A75 (generation), A85 (imbalance prices). */

import type { FundamentalArea, FundamentalSeries } from '../../market/fundamentals.ts'
import type { ResolutionMinutes } from '../../market/market-day.ts'
import type { ZoneCode } from '../../market/zones.ts'

/** Bidding zones by energy identification code (EIC). ENTSO-E has no PUN; the code of all Italy is not a zone. */
export const ZONE_BY_EIC: ReadonlyMap<string, ZoneCode> = new Map([
  ['10Y1001A1001A73I', 'nord'],
  ['10Y1001A1001A70O', 'cnor'],
  ['10Y1001A1001A71M', 'csud'],
  ['10Y1001A1001A788', 'sud'],
  ['10Y1001C--00096J', 'cala'],
  ['10Y1001A1001A75E', 'sici'],
  ['10Y1001A1001A74G', 'sard'],
])

/** The control area of all Italy. */
export const ITALY_EIC = '10YIT-GRTN-----B'

/** Imbalance settlement has two macrozones: the north, and all other zones together. */
export const MACROZONE_BY_EIC: ReadonlyMap<string, FundamentalArea> = new Map(
  [...ZONE_BY_EIC].map(([eic, zone]) => [eic, zone === 'nord' ? 'macro-nord' : 'macro-sud']),
)

export const NEIGHBOUR_BY_EIC: ReadonlyMap<string, FundamentalArea> = new Map([
  ['10YCH-SWISSGRIDZ', 'CH'],
  ['10YFR-RTE------C', 'FR'],
  ['10YAT-APG------L', 'AT'],
  ['10YSI-ELES-----O', 'SI'],
  ['10YGR-HTSO-----Y', 'GR'],
  ['10Y1001A1001A82H', 'DE-LU'],
  ['10YES-REE------0', 'ES'],
])

export const ITALIAN_AREA_BY_EIC: ReadonlyMap<string, FundamentalArea> = new Map([
  [ITALY_EIC, 'IT'],
  ...(ZONE_BY_EIC as ReadonlyMap<string, FundamentalArea>),
])

/** Generation by `psrType`; types that Italy does not have are omitted. */
export const GENERATION_BY_TYPE: ReadonlyMap<string, FundamentalSeries> = new Map([
  ['B01', 'generation-biomass'],
  ['B03', 'generation-coal-gas'],
  ['B04', 'generation-gas'],
  ['B05', 'generation-coal'],
  ['B06', 'generation-oil'],
  ['B09', 'generation-geothermal'],
  ['B10', 'generation-hydro-pumped'],
  ['B11', 'generation-hydro-run-of-river'],
  ['B12', 'generation-hydro-reservoir'],
  ['B16', 'generation-solar'],
  ['B17', 'generation-waste'],
  ['B18', 'generation-wind-offshore'],
  ['B19', 'generation-wind-onshore'],
  ['B20', 'generation-other'],
])

/** Consumption by `psrType`: time series with an out domain instead of an in domain. */
export const CONSUMPTION_BY_TYPE: ReadonlyMap<string, FundamentalSeries> = new Map([
  ['B10', 'consumption-hydro-pumped'],
])

export const FORECAST_BY_TYPE: ReadonlyMap<string, FundamentalSeries> = new Map([
  ['B16', 'solar-forecast'],
  ['B18', 'wind-offshore-forecast'],
  ['B19', 'wind-forecast'],
])

export const MINUTES_BY_RESOLUTION: ReadonlyMap<string, ResolutionMinutes> = new Map([
  ['PT15M', 15],
  ['PT30M', 30],
  ['PT60M', 60],
  ['PT1H', 60],
])

/** Root elements: prices, load and generation, imbalance prices, and the acknowledgement sent if there is no data. */
export const PRICES_ROOT = 'Publication_MarketDocument'
export const QUANTITIES_ROOT = 'GL_MarketDocument'
export const BALANCING_ROOT = 'Balancing_MarketDocument'
export const ACKNOWLEDGEMENT_ROOT = 'Acknowledgement_MarketDocument'

/** Reason in an acknowledgement if nothing is published for the requested time and zone. */
export const NO_DATA = /no matching data/i

export const PRICE_DOCUMENT_TYPE = 'A44'
export const LOAD_DOCUMENT_TYPE = 'A65'
export const FORECAST_DOCUMENT_TYPE = 'A69'
export const GENERATION_DOCUMENT_TYPE = 'A75'
export const IMBALANCE_DOCUMENT_TYPE = 'A85'

/** `process.processType` */
export const DAY_AHEAD_PROCESS = 'A01'
export const REALISED_PROCESS = 'A16'

/** `contract_MarketAgreement.type` of the day-ahead auction; intraday auctions (A07) come in documents of the same type. */
export const DAY_AHEAD_CONTRACT = 'A01'

/** `docStatus` of values that are not final yet. */
export const INTERMEDIATE = 'A01'

/** Every position is stated. */
export const CURVE_OF_POINTS = 'A01'
/** An omitted position repeats the previous one, up to the end of its period. */
export const CURVE_OF_BLOCKS = 'A03'

export const CURRENCY = 'EUR'
export const PRICE_UNIT = 'MWH'
export const POWER_UNIT = 'MAW'
