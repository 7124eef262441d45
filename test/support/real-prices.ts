/** The real daily and hourly prices, from files outside the checkout, as one `PriceRecord`; each is known from its usual publication on. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { usualPublication } from '../../jobs/forecasts/price-record.ts'
import type { VersionsByAsset } from '../../jobs/forecasts/task.ts'
import { clockHours } from '../../models/clock-hours.ts'
import type { PriceRecord, PriceRevision } from '../../models/history.ts'
import { FORECAST_ASSETS, type ForecastAsset } from '../../models/model.ts'
import { nationalHolidays } from './national-holidays.ts'
import { sharedData } from './shared-data.ts'

const PUN_FILES = ['power/gme_pun_hourly_2004-04_2022-12.csv.gz', 'power/gme_mgp_zonal_hourly_2023-01_2024-12.csv.gz']
const PSV_FILE = 'gas/gme_mgpgas_psv_daily_2020-10_2024-09.csv'
const TTF_FILE = 'gas/ttf_front_month_daily_2019_2024.csv'

/** Returns undefined if the files are absent. `from` omits earlier days. */
export function realPrices(from = '2004-01-01'): PriceRecord | undefined {
  const [punFiles, psvFile, ttfFile] = [PUN_FILES.map(sharedData), sharedData(PSV_FILE), sharedData(TTF_FILE)]
  if (!psvFile || !ttfFile || punFiles.includes(undefined)) return undefined
  return {
    revisions: {
      PUN: (punFiles as string[]).flatMap((file) => hourlyPrices(file, from)),
      PSV: dailyPrices('PSV', psvFile, from),
      TTF: dailyPrices('TTF', ttfFile, from),
    },
    holidays: nationalHolidays(2000, 2029).map((day) => Temporal.PlainDate.from(day)),
  }
}

/** The same in the form that the database returns, with hourly prices. */
export function realVersions(from: string, to: string): VersionsByAsset | undefined {
  const record = realPrices(from)
  if (!record) return undefined
  const versions = FORECAST_ASSETS.map((asset) => {
    const until = record.revisions[asset].filter(({ day }) => day.toString() <= to)
    return [asset, until.map(versionOf)] as const
  })
  return Object.fromEntries(versions) as VersionsByAsset
}

/** Uses the clock hours as the published intervals: 24 on change days too. */
function versionOf({ day, price, hours, knownAt }: PriceRevision): VersionsByAsset['PUN'][number] {
  const intervals = hours ? Array.from(hours) : null
  return { day: day.toString(), price, intervals, fetchedAtMs: knownAt.epochMilliseconds, synthetic: false }
}

function linesOf(file: string): string[] {
  const bytes = readFileSync(file)
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trimEnd().split('\n')
}

/** Lines are `flow_date,ora,start_utc,price,…` in chronological order. */
function hourlyPrices(file: string, from: string): PriceRevision[] {
  const days = new Map<string, number[]>()
  for (const line of linesOf(file).slice(1)) {
    const [date = '', , , price] = line.split(',')
    if (date < from) continue
    const hours = days.get(date)
    if (hours) hours.push(Number(price))
    else days.set(date, [Number(price)])
  }
  return [...days].map(([date, hours]) => ({
    ...dailyPrice('PUN', date, hours.reduce((sum, price) => sum + price, 0) / hours.length),
    hours: clockHours(hours),
  }))
}

function dailyPrices(asset: ForecastAsset, file: string, from: string): PriceRevision[] {
  const cells = linesOf(file)
    .slice(1)
    .map((line) => line.split(','))
  const priced = cells.filter(([date = '', price]) => date >= from && price !== undefined && price !== '')
  return priced.map(([date = '', price]) => dailyPrice(asset, date, Number(price)))
}

function dailyPrice(asset: ForecastAsset, date: string, price: number): PriceRevision {
  const day = Temporal.PlainDate.from(date)
  return { day, price, knownAt: usualPublication(asset, day) }
}
