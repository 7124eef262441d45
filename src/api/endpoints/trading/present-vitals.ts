/** The vitals of a market day as the response shows them. */

import { GAS_PLANT } from '../../../market/gas.ts'
import type { MarketDay } from '../../../market/market-day.ts'
import { toNative } from '../../../market/price-units.ts'
import type { DatedPrice, StoredVitals } from '../../../store/trading.ts'
import type { Vitals } from '../../contract/trading.ts'
import { EXAMPLE_BASE_URL, exampleSourceIds } from '../examples.ts'
import { attributionText, sourceNames } from '../source-credits.ts'

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

/** The vitals if all are known, else what is missing, as a clause. */
export function completeVitals(found: StoredVitals): CompleteVitals | { missing: string } {
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

export function presentVitals(day: MarketDay, found: CompleteVitals, baseUrl: URL): Vitals {
  const date = day.toString()
  const shown = ({ date, value }: DatedPrice) => ({ date, value: toNative(value) })
  return {
    date,
    spark_spread: toNative(found.sparkSpread),
    clean_spark_spread: toNative(found.cleanSparkSpread),
    psv_ttf_spread: toNative(found.psvTtfSpread),
    atr_14d: { pun: toNative(found.averageTrueRange.pun), psv: toNative(found.averageTrueRange.psv) },
    unit: '€/MWh',
    assumptions: { efficiency: GAS_PLANT.efficiency, emission_factor: GAS_PLANT.emissionFactorTonnesMwh },
    inputs: {
      pun: shown({ date, value: found.pun }),
      psv: shown(found.psv),
      ttf: shown(found.ttf),
      co2: shown(found.co2),
    },
    source: sourceNames(found.sourceIds),
    attribution: attributionText(found.sourceIds, baseUrl),
  }
}

export function exampleVitals(): Vitals {
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
