/** CO2 from EEX's report of primary auctions: one workbook a year, replaced as auctions are held, XLS to 2019 and XLSX since. */
import { NotYetPublished } from '../../platform/fetch/outcomes.ts'
import { addressBelow, getDocument } from '../fetch-days.ts'
import type { Way } from '../publisher.ts'
import type { CommonSettings } from '../settings.ts'

const SITE_URL = 'https://public.eex-group.com'
const FOLDER = '/eex/eua-auction-report/'
const FIRST_XLSX_YEAR = 2020
const NOT_FOUND = 404

export function connectEexEua({ ADDRESS: base = new URL(SITE_URL) }: CommonSettings): Way {
  return {
    way: 'yearly workbook',
    maxDaysPerRequest: 366,
    async *fetch({ from, to }, io) {
      for (let year = from.year; year <= to.year; year++) {
        const name = nameOf(year)
        const url = addressBelow(base, `${FOLDER}${name}`)
        const report = await getDocument(url, { name }, io, { meaningOf })
        if (report) yield report
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
