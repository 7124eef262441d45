/**
 * TTF from EEX: the table of day-ahead settlements, whose window reaches some forty days back, or the neutral gas price's CSV, which
 * has the latest days only. Neither has a history beyond what was fetched in time.
 */
import { addressBelow, getDocument } from '../fetch-days.ts'
import type { Way } from '../publisher.ts'
import type { CommonSettings } from '../settings.ts'

const TABLE_URL = 'https://api.eex-group.com'
const NGP_URL = 'https://gasandregistry.eex.com'
const WINDOW_DAYS = 40
const NGP_WINDOW_DAYS = 60
/** From the trading day to delivery: a weekend and holidays on either side. */
const TRADED_BEFORE_DAYS = 5

export function connectEexTtf({
  ADDRESS,
  EEX_TTF_FORM: form,
}: CommonSettings & { EEX_TTF_FORM: 'table' | 'ngp' }): Way {
  return form === 'ngp' ? neutralGasPrice(ADDRESS ?? new URL(NGP_URL)) : settlements(ADDRESS ?? new URL(TABLE_URL))
}

/** Final once its gas day is over, at 06:00, and listed in the early afternoon. */
function neutralGasPrice(base: URL): Way {
  return {
    way: 'neutral gas price',
    maxDaysPerRequest: NGP_WINDOW_DAYS,
    windowDays: NGP_WINDOW_DAYS,
    askFrom: { days: 1, time: '14:00' },
    lateAt: { days: 1, time: '20:00' },
    expects: () => true,
    async *fetch({ from }, io) {
      // The short file has yesterday and today, the long one the days before.
      const isRecent = from.until(io.clock.now().toZonedDateTimeISO('UTC').toPlainDate()).days <= 1
      const name = isRecent ? 'TTF_NGP_15_Mins.csv' : 'TTF_NGP_60_Days.csv'
      const url = addressBelow(base, `/Gas/NGP/${name}`)
      const prices = await getDocument(url, { name }, io)
      if (prices) yield prices
    },
  }
}

function settlements(base: URL): Way {
  return {
    way: 'table of settlements',
    maxDaysPerRequest: WINDOW_DAYS,
    windowDays: WINDOW_DAYS - TRADED_BEFORE_DAYS,
    async *fetch(days, io) {
      const url = addressBelow(base, '/pub/market-data/table-data', {
        shortCode: 'TTFDA',
        commodity: 'NATGAS',
        pricing: 'S',
        area: 'TTF',
        product: 'DA',
        isRolling: 'true',
        startDate: days.from.subtract({ days: TRADED_BEFORE_DAYS }).toString(),
        endDate: days.to.toString(),
      })
      const table = await getDocument(url, { name: `ttf_${days.from}_${days.to}.json` }, io)
      if (table) yield table
    },
  }
}
