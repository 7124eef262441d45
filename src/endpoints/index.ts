/** The site map: every endpoint under `/v1`, in the order in which the documentation shows them. */
import type { Endpoint } from '../http/endpoint.ts'
import { getBrentToday } from './brent/get-brent-today.ts'
import { getCo2Today } from './co2/get-co2-today.ts'
import { getForecast } from './forecast/get-forecast.ts'
import { getForecastScenarios } from './forecast/get-forecast-scenarios.ts'
import { getNextForecast } from './forecast/get-next-forecast.ts'
import { getTrackRecord } from './forecast/get-track-record.ts'
import { getIndex } from './get-index.ts'
import { getOpenapi } from './get-openapi.ts'
import { getPlans } from './plans/get-plans.ts'
import { getPricesSeries } from './prices/get-series.ts'
import { getPsvToday } from './psv/get-psv-today.ts'
import { getPunHourly } from './pun/get-pun-hourly.ts'
import { getPunToday } from './pun/get-pun-today.ts'
import { getPunZones } from './pun/get-pun-zones.ts'
import { getStatus } from './status/get-status.ts'
import { getToday } from './today/get-today.ts'
import { getTtfToday } from './ttf/get-ttf-today.ts'
import { getUsage } from './usage/get-usage.ts'

export const endpoints: readonly Endpoint[] = [
  getToday,
  getPunToday,
  getPsvToday,
  getTtfToday,
  getBrentToday,
  getCo2Today,
  getPricesSeries,
  getPunZones,
  getPunHourly,
  getTrackRecord, // before the paths in which it would be an asset
  getNextForecast,
  getForecast,
  getForecastScenarios,
  getStatus,
  getPlans,
  getUsage,
  getIndex,
  getOpenapi,
]
