import * as z from 'zod'
import { GAS_PLANT } from '../../../market/gas.ts'
import type { MarketDay } from '../../../market/market-day.ts'
import { roundNative } from '../../../market/price-units.ts'
import { secondsToNextPublication, secondsToPublicationOf } from '../../../publishers/publications.ts'
import type { DatedPrice, StoredVitals } from '../../../store/trading.ts'
import { invalidParameter, noDataBecause } from '../../contract/errors.ts'
import { marketDay } from '../../contract/parameters.ts'
import { type Vitals, vitals } from '../../contract/trading.ts'
import { endpoint, type HandlerContext } from '../../http/endpoint.ts'
import { EXAMPLE_BASE_URL, exampleSourceIds } from '../examples.ts'
import { creditsOf } from '../source-credits.ts'

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
  cache: '15min',
  formats: ['json', 'csv'],
  query: z.object({
    date: marketDay.optional().meta({ description: 'Market day. Default: the latest for which all prices are known.' }),
  }),
  reply: vitals,
  example: exampleVitals(),
  fails: ['no_data'],
  async handle({ query, service, today, now }) {
    const context = { service, today, now }
    const day = query.date ?? (await latestDay(context))
    const found = completeVitals(await service.trading.vitals(day, GAS_PLANT))
    if ('missing' in found) throw missing(day, found.missing, context)
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
  throw noDataBecause(message, secondsToNextPublication(['PUN', 'PSV', 'TTF', 'CO2'], now))
}

/** A future day is retried after its publication; a past day will not change. */
function missing(day: MarketDay, what: string, { today, now }: HandlerContext): Error {
  return Temporal.PlainDate.compare(day, today) >= 0
    ? noDataBecause(`The vitals of ${day} cannot be computed yet: ${what}.`, secondsToPublicationOf(day, now))
    : invalidParameter('date', `must be a day whose vitals can be computed; of ${day} they cannot: ${what}`)
}

/** `{ pun: 1 }` under `atr_14d` is `{ atr_14d_pun: 1 }`. */
function flattened(name: string, values: Record<string, string | number>): Record<string, string | number> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${name}_${key}`, value]))
}

/** The vitals of a market day as the response shows them. */
interface CompleteVitals {
  pun: number
  psv: DatedPrice
  ttf: DatedPrice
  co2: DatedPrice
  sparkSpread: number
  cleanSparkSpread: number
  psvTtfSpread: number
  averageTrueRange: { pun: number; psv: number }
  sourceIds: string[]
}

/** Returns the vitals if all are known, else a clause that names the missing value. */
function completeVitals(found: StoredVitals): CompleteVitals | { missing: string } {
  const { pun, psv, ttf, co2, sparkSpread, cleanSparkSpread, psvTtfSpread, averageTrueRange, sourceIds } = found
  if (pun === undefined) return { missing: 'there is no PUN of the day' }
  if (psv === undefined) return { missing: absent('PSV') }
  if (ttf === undefined) return { missing: absent('TTF') }
  if (co2 === undefined) return { missing: absent('CO2') }
  if (averageTrueRange.pun === undefined) return { missing: tooShort('PUN') }
  if (averageTrueRange.psv === undefined) return { missing: tooShort('PSV') }
  if (sparkSpread === undefined || cleanSparkSpread === undefined || psvTtfSpread === undefined)
    throw new Error('a spread is missing although its prices are known')
  const ranges = { pun: averageTrueRange.pun, psv: averageTrueRange.psv }
  return { pun, psv, ttf, co2, sparkSpread, cleanSparkSpread, psvTtfSpread, averageTrueRange: ranges, sourceIds }
}

function absent(asset: string): string {
  return `${asset} has no price on the day or in the 7 days before it`
}

function tooShort(asset: string): string {
  return `${asset} has fewer than the 15 days up to it that a range over 14 days needs`
}

function presentVitals(day: MarketDay, found: CompleteVitals, baseUrl: URL): Vitals {
  const date = day.toString()
  const shown = ({ date, value }: DatedPrice) => ({ date, value: roundNative(value) })
  return {
    date,
    spark_spread: roundNative(found.sparkSpread),
    clean_spark_spread: roundNative(found.cleanSparkSpread),
    psv_ttf_spread: roundNative(found.psvTtfSpread),
    atr_14d: { pun: roundNative(found.averageTrueRange.pun), psv: roundNative(found.averageTrueRange.psv) },
    unit: '€/MWh',
    assumptions: { efficiency: GAS_PLANT.efficiency, emission_factor: GAS_PLANT.emissionFactorTonnesMwh },
    inputs: {
      pun: shown({ date, value: found.pun }),
      psv: shown(found.psv),
      ttf: shown(found.ttf),
      co2: shown(found.co2),
    },
    ...creditsOf(found.sourceIds, baseUrl),
  }
}

function exampleVitals(): Vitals {
  const found = {
    pun: 121.06,
    psv: { date: '2026-11-20', value: 34.127 },
    ttf: { date: '2026-11-20', value: 31.85 },
    co2: { date: '2026-11-20', value: 79.32 },
    sparkSpread: 56.669434,
    cleanSparkSpread: 26.437736,
    psvTtfSpread: 2.277,
    averageTrueRange: { pun: 14.02, psv: 0.87 },
    sourceIds: exampleSourceIds(['PUN', 'PSV', 'TTF', 'CO2']),
  }
  return presentVitals(Temporal.PlainDate.from('2026-11-20'), found, EXAMPLE_BASE_URL)
}
