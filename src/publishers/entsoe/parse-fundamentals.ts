/**
 * Fundamentals from ENTSO-E: quantities (`GL_MarketDocument`: load, generation and forecasts of it) and prices of neighbours. Traps: the
 * domain is that of the time series, an in domain for output and an out domain for load and for the consumption of pumped storage;
 * curve type A03 omits repeated positions; a day may come in hours and in quarter-hours: the finest that is whole is kept; of prices a second
 * classification sequence is the auction before the coupled one, a series of its own.
 */
import type { FundamentalSeries } from '../../market/fundamentals.ts'
import { UnreadableDocument } from '../faults.ts'
import type { FundamentalKey, Items } from '../observations.ts'
import { asFundamental, type FundamentalName, nameOf } from '../reading/fundamental-days.ts'
import { ZoneDays } from '../reading/zone-days.ts'
import {
  CONSUMPTION_BY_TYPE,
  FORECAST_BY_TYPE,
  FORECAST_DOCUMENT_TYPE,
  GENERATION_BY_TYPE,
  GENERATION_DOCUMENT_TYPE,
  ITALIAN_AREA_BY_EIC,
  LOAD_DOCUMENT_TYPE,
  NEIGHBOUR_BY_EIC,
  POWER_UNIT,
} from './codes.ts'
import { intervalsOf } from './intervals.ts'
import { addIntervals, chosen, isWhole } from './market-days.ts'
import { isDayAhead, refuseOtherUnit, sequenceOf } from './parse.ts'
import { type DocumentShape, PRICES, type PublishedPeriod, quantities, readPeriods } from './periods.ts'

/** Load, of the one kind that the document's process states. */
export function parseLoad(series: 'load-forecast' | 'load') {
  return (text: AsyncIterable<string>) =>
    parse(text, quantities(LOAD_DOCUMENT_TYPE), (period) => quantityKey(period, series))
}

export function parseRenewablesForecast(text: AsyncIterable<string>): Items {
  return parse(text, quantities(FORECAST_DOCUMENT_TYPE), (period) =>
    quantityKey(period, FORECAST_BY_TYPE.get(typeOf(period))),
  )
}

export function parseGeneration(text: AsyncIterable<string>): Items {
  return parse(text, quantities(GENERATION_DOCUMENT_TYPE), (period) => {
    const byType = period.series.has('inBiddingZone_Domain.mRID') ? GENERATION_BY_TYPE : CONSUMPTION_BY_TYPE
    return quantityKey(period, byType.get(typeOf(period)))
  })
}

export function parseNeighbourPrices(text: AsyncIterable<string>): Items {
  return parse(text, PRICES, (period) => {
    const area = NEIGHBOUR_BY_EIC.get(period.series.get('in_Domain.mRID') ?? '')
    if (area === undefined || !isDayAhead(period)) return undefined
    refuseOtherUnit(period)
    const sequence = sequenceOf(period)
    return sequence > 2 ? undefined : { series: sequence === 2 ? 'early-auction-price' : 'day-ahead-price', area }
  })
}

/** Yields the days at the end of the document. `keyOf` gives what a period is of; undefined where it is not read. */
async function* parse(
  text: AsyncIterable<string>,
  shape: DocumentShape,
  keyOf: (period: PublishedPeriod) => FundamentalKey | undefined,
): Items {
  const days = new ZoneDays<FundamentalName>()
  let ours = 0
  try {
    for await (const period of readPeriods(text, shape)) {
      const key = keyOf(period)
      if (key === undefined) continue
      ours += 1
      addIntervals(days, nameOf(key), intervalsOf(period))
    }
  } catch (err) {
    yield* chosen([days]).filter(isWhole).map(asFundamental)
    throw err
  }
  yield* chosen([days]).map(asFundamental)
  if (ours === 0) throw new UnreadableDocument('document', 'holds nothing of an area and kind that is read')
}

function quantityKey(period: PublishedPeriod, series: FundamentalSeries | undefined): FundamentalKey | undefined {
  const domain = period.series.get('outBiddingZone_Domain.mRID') ?? period.series.get('inBiddingZone_Domain.mRID') ?? ''
  const area = ITALIAN_AREA_BY_EIC.get(domain)
  if (series === undefined || area === undefined) return undefined
  const unit = period.series.get('quantity_Measure_Unit.name')
  if (unit === POWER_UNIT) return { series, area }
  throw new UnreadableDocument(
    `period, line ${period.line}`,
    `quantities are in ${unit ?? 'an unnamed unit'}, not in ${POWER_UNIT}`,
  )
}

function typeOf({ series }: PublishedPeriod): string {
  return series.get('psrType') ?? ''
}
