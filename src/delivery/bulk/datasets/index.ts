/** Every dataset that is exported. */
import type { BulkDataset } from '../../../api/contract/bulk.ts'
import type { Dataset } from '../dataset.ts'
import { forecastHistory, forecastsHourly } from './forecasts.ts'
import { fundamentals, marketsQuarterHourly, mercatoLibero } from './fundamentals-and-offers.ts'
import { bandsMonthly, corrections, pricesDaily, punHourly, zonesQuarterHourly } from './prices.ts'

export const DATASETS: Record<BulkDataset, Dataset> = {
  'pun-hourly': punHourly,
  'prices-daily': pricesDaily,
  'forecast-history': forecastHistory,
  'forecasts-hourly': forecastsHourly,
  'mercato-libero': mercatoLibero,
  fundamentals,
  'zones-quarter-hourly': zonesQuarterHourly,
  corrections,
  'bands-monthly': bandsMonthly,
  'markets-quarter-hourly': marketsQuarterHourly,
}
