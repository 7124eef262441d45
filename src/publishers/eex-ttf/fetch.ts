/**
 * TTF from EEX: the table of day-ahead settlements, whose window reaches some forty days back, or the neutral gas price's CSV, which
 * has the latest days only. Neither has a history: it is what was read in time.
 */
import { isTradingDay } from '../../market/trading-days.ts'
import type { MakeFetcher, Politeness } from '../fetcher.ts'
import { addressBelow, documentOf, earliestFrom, offUnlessWanted, politenessOf } from '../fetcher-settings.ts'

const TABLE_URL = 'https://api.eex-group.com'
const NGP_URL = 'https://gasandregistry.eex.com'
const WINDOW_DAYS = 40
const NGP_WINDOW_DAYS = 60
/** From the trading day to delivery: a weekend and holidays on either side. */
const TRADED_BEFORE_DAYS = 5

/** 60 requests a minute are allowed. */
const POLITENESS: Politeness = { minIntervalMs: 2_000, concurrency: 1, requestsPerDay: 200 }

export const makeEexTtf: MakeFetcher = (config) => {
  const source = 'eex-ttf'
  const off = offUnlessWanted(config, source)
  if (off) return off
  const politeness = politenessOf(config, source, POLITENESS)
  const { address } = config.bySource[source]
  if (config.eexTtfForm === 'ngp') {
    const base = address ?? new URL(NGP_URL)
    return {
      source,
      way: 'neutral gas price',
      maxDaysPerRequest: NGP_WINDOW_DAYS,
      politeness,
      delayDays: 1,
      earliest: earliestFrom(config, source, '2020-01-01', NGP_WINDOW_DAYS),
      expects: () => true,
      async *fetch({ from }, io) {
        // The short file has yesterday and today, the long one the days before.
        const isRecent = from.until(io.clock.now().toZonedDateTimeISO('UTC').toPlainDate()).days <= 1
        const name = isRecent ? 'TTF_NGP_15_Mins.csv' : 'TTF_NGP_60_Days.csv'
        const url = addressBelow(base, `/Gas/NGP/${name}`)
        const answer = await io.http.send({ url, signal: io.signal, conditional: io.conditional })
        if (answer) yield documentOf(answer, { name, address: url })
      },
    }
  }
  const base = address ?? new URL(TABLE_URL)
  return {
    source,
    way: 'table of settlements',
    maxDaysPerRequest: WINDOW_DAYS,
    politeness,
    earliest: earliestFrom(config, source, '2020-01-01', WINDOW_DAYS - TRADED_BEFORE_DAYS),
    // Deliveries behind a weekend or a holiday have products of their own.
    expects: (day) => isTradingDay(day) && isTradingDay(day.subtract({ days: 1 })),
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
      const answer = await io.http.send({ url, signal: io.signal, conditional: io.conditional })
      if (answer) yield documentOf(answer, { name: `ttf_${days.from}_${days.to}.json`, address: url })
    },
  }
}
