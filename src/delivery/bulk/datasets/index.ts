/** Every dataset that is exported. */
import type { BulkDataset } from '../../../api/contract/bulk.ts'
import type { Dataset } from '../dataset.ts'
import { bandsMonthly } from './bands-monthly.ts'
import { corrections } from './corrections.ts'
import { forecastHistory } from './forecast-history.ts'
import { forecastsHourly } from './forecasts-hourly.ts'
import { fundamentals } from './fundamentals.ts'
import { mercatoLibero } from './mercato-libero.ts'
import { pricesDaily } from './prices-daily.ts'
import { punHourly } from './pun-hourly.ts'
import { zonesQuarterHourly } from './zones-quarter-hourly.ts'

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
}
