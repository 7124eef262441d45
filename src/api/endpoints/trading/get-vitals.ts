import * as z from 'zod'
import { GAS_PLANT } from '../../../market/gas.ts'
import type { MarketDay } from '../../../market/market-day.ts'
import { secondsToNextPublication, secondsToPublicationOf } from '../../../publishers/publications.ts'
import { invalidParameter, notEnoughData } from '../../contract/errors.ts'
import { marketDay } from '../../contract/parameters.ts'
import { vitals } from '../../contract/trading.ts'
import { endpoint, type HandlerContext } from '../../http/endpoint.ts'
import { completeVitals, exampleVitals, presentVitals } from './present-vitals.ts'

/** Spark spreads, PSV against TTF and volatility of a market day. Spec: "Trading indicators". */
export const getTradingVitals = endpoint({
  id: 'getTradingVitals',
  method: 'get',
  path: '/trading/vitals',
  tag: 'Trading',
  summary: 'Get spreads and volatility',
  description:
    'Returns the spark spread, the clean spark spread, PSV minus TTF, and the Average True Range over 14 days.' +
    ' The PUN is that of the day; of PSV, TTF and CO2, which are not priced every day, the latest price of the' +
    ' last eight days is used, and `inputs` states which. CSV has one row.',
  plan: 'Trading',
  status: 'live',
  cache: '15min',
  formats: ['json', 'csv'],
  query: z.object({
    date: marketDay.optional().meta({ description: 'Market day. Default: the latest for which all prices are known.' }),
  }),
  reply: vitals,
  example: exampleVitals(),
  fails: ['no_data'],
  async handle({ query, service, today, now }) {
    const asking = { service, today, now }
    const day = query.date ?? (await latestDay(asking))
    const found = completeVitals(await service.trading.vitals(day, GAS_PLANT))
    if ('missing' in found) throw missing(day, found.missing, asking)
    return presentVitals(day, found, service.config.baseUrl)
  },
  table: ({ date, atr_14d, unit, assumptions, inputs, ...spreads }) => {
    const row = {
      date,
      spark_spread: spreads.spark_spread,
      clean_spark_spread: spreads.clean_spark_spread,
      psv_ttf_spread: spreads.psv_ttf_spread,
      ...flattened('atr_14d', atr_14d),
      unit,
      ...flattened('assumptions', assumptions),
      ...Object.assign({}, ...Object.entries(inputs).map(([name, input]) => flattened(`inputs_${name}`, input))),
    }
    return { filename: `trading_vitals_${date}`, columns: Object.keys(row), rows: [row] }
  },
})

async function latestDay({ service, today, now }: HandlerContext): Promise<MarketDay> {
  const latest = await service.trading.latestVitalsDay(today.add({ days: 1 }))
  if (latest !== undefined) return Temporal.PlainDate.from(latest)
  const message = 'There is no day yet for which PUN, PSV, TTF and CO2 are all known.'
  throw notEnoughData(message, secondsToNextPublication(['PUN', 'PSV', 'TTF', 'CO2'], now))
}

/** A future day is retried after its publication; a past day will not change. */
function missing(day: MarketDay, what: string, { today, now }: HandlerContext): Error {
  return Temporal.PlainDate.compare(day, today) >= 0
    ? notEnoughData(`The vitals of ${day} cannot be computed yet: ${what}.`, secondsToPublicationOf(day, now))
    : invalidParameter('date', `must be a day whose vitals can be computed; of ${day} they cannot: ${what}`)
}

/** `{ pun: 1 }` under `atr_14d` is `{ atr_14d_pun: 1 }`. */
function flattened(name: string, values: Record<string, string | number>): Record<string, string | number> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${name}_${key}`, value]))
}
