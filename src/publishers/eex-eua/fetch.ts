/** CO2 from EEX's report of primary auctions: one workbook a year, replaced as auctions are held, XLS to 2019 and XLSX since. */
import { isAuctionDay } from '../../market/trading-days.ts'
import { NotYetPublished } from '../../platform/fetch/outcomes.ts'
import type { MakeFetcher, Politeness } from '../fetcher.ts'
import { addressBelow, documentOf, earliestFrom, offUnlessWanted, politenessOf } from '../fetcher-settings.ts'

const SITE_URL = 'https://public.eex-group.com'
const FOLDER = '/eex/eua-auction-report/'
const HISTORY_FROM = '2020-01-01'
const FIRST_XLSX_YEAR = 2020
const NOT_FOUND = 404

const POLITENESS: Politeness = { minIntervalMs: 5_000, concurrency: 1, requestsPerDay: 100 }

export const makeEexEua: MakeFetcher = (config) => {
  const source = 'eex-eua'
  const off = offUnlessWanted(config, source)
  if (off) return off
  const base = config.bySource[source].address ?? new URL(SITE_URL)
  return {
    source,
    way: 'yearly workbook',
    maxDaysPerRequest: 366,
    politeness: politenessOf(config, source, POLITENESS),
    earliest: earliestFrom(config, source, HISTORY_FROM),
    expects: isAuctionDay,
    async *fetch({ from, to }, io) {
      for (let year = from.year; year <= to.year; year++) {
        const name = nameOf(year)
        const url = addressBelow(base, `${FOLDER}${name}`)
        const answer = await io.http.send({ url, signal: io.signal, conditional: io.conditional, meaningOf })
        if (answer) yield documentOf(answer, { name, address: url })
      }
    },
  }
}

/** The first auctions of a year come in its second week. */
function meaningOf(status: number): Error | undefined {
  return status === NOT_FOUND ? new NotYetPublished('there is no report of that year yet') : undefined
}

function nameOf(year: number): string {
  const extension = year < FIRST_XLSX_YEAR ? 'xls' : 'xlsx'
  return `emission-spot-primary-market-auction-report-${year}-data.${extension}`
}
