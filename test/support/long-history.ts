/**
 * Nineteen years of hourly prices as a file, the size of the market operator's real history: 2004-04-01 to 2022-12-31, 164,377
 * hours. Uses the real file if it is present; otherwise writes one of the same shape from the sample publisher's prices.
 */
import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { hoursInMarketDay, intervalStart } from '../../src/market/market-day.ts'
import { sharedData } from './shared-data.ts'

/** Every hour of the span: 6,849 days, including the 23 or 25 hours of each change day. */
export const LONG_HISTORY_HOURS = 164_377

export async function longHistoryFile(folder: string): Promise<string> {
  const real = sharedData('power/gme_pun_hourly_2004-04_2022-12.csv.gz')
  if (real !== undefined) return real
  const file = path.join(folder, 'pun-hourly.csv.gz')
  await pipeline(hourLines, createGzip(), createWriteStream(file))
  return file
}

function* hourLines(): Generator<string> {
  yield 'flow_date,ora,start_utc,pun_eur_mwh\n'
  const last = Temporal.PlainDate.from('2022-12-31')
  for (
    let day = Temporal.PlainDate.from('2004-04-01');
    Temporal.PlainDate.compare(day, last) <= 0;
    day = day.add({ days: 1 })
  ) {
    for (let hour = 1; hour <= hoursInMarketDay(day); hour++) {
      const price = 60 + 20 * Math.sin((hour / 24) * 2 * Math.PI) + (day.dayOfYear % 30)
      yield `${day},${hour},${intervalStart(day, hour, 60)},${price.toFixed(6)}\n`
    }
  }
}
