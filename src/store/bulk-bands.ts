/** Monthly means of tariff bands, peak and off-peak, for the bulk exports. */
import type { ZoneCode } from '../market/zones.ts'
import { listed, type Reader, type Wanted } from './bulk-rows.ts'
import { queryText } from './sql-files.ts'

/** Null where no complete day has such hours; €/MWh. */
export interface BulkBandMonth {
  zone: ZoneCode
  /** First day, YYYY-MM-DD. */
  month: string
  days: number
  days_of_month: number
  /** Last complete day, YYYY-MM-DD. */
  last_day: string
  f0_eur_mwh: number
  f1_eur_mwh: number | null
  f2_eur_mwh: number | null
  f3_eur_mwh: number | null
  f23_eur_mwh: number | null
  peak_eur_mwh: number | null
  off_peak_eur_mwh: number | null
  f0_hours: number
  f1_hours: number
  f2_hours: number
  f3_hours: number
  f23_hours: number
  peak_hours: number
  off_peak_hours: number
  source_first: string
  source_last: string
}

const LIST = queryText('bulk_band_months_list')

/** By zone and month. */
export async function bulkBandMonths(
  reader: Reader,
  sourceIds: readonly string[],
  { from, to, parts }: Wanted,
): Promise<BulkBandMonth[]> {
  return reader.unsafe<BulkBandMonth[]>(LIST, [[...sourceIds], from, to, listed(parts)])
}
