/**
 * Zone prices from ENTSO-E's document type A44, `Publication_MarketDocument` in schema versions 7:0 and 7:3. Traps: with curve type A03
 * (all of 7:3) an omitted position repeats the previous one, to the end of its period; a market may appear twice, in hours and in
 * quarter-hours, or in several auctions distinguished by the classification sequence; a period may cover several market days; there is
 * no PUN; if nothing is published, the response is an `Acknowledgement_MarketDocument`. One resolution and one sequence is kept per zone
 * and day, never mixed: the finest complete resolution, else the finest; among those, the lowest sequence.
 */

import type { FundamentalSeries } from '../../market/fundamentals.ts'
import { marketDayOf } from '../../market/market-day.ts'
import { NothingPublished, UnreadableDocument } from '../faults.ts'
import type { FundamentalKey, Items, ZoneDay } from '../observations.ts'
import { asFundamental, type FundamentalName, fundamentalName, type OpenDay, ZoneDays } from '../reading/zone-days.ts'
import {
  CONSUMPTION_BY_TYPE,
  CURRENCY,
  DAY_AHEAD_CONTRACT,
  FORECAST_BY_TYPE,
  FORECAST_DOCUMENT_TYPE,
  GENERATION_BY_TYPE,
  GENERATION_DOCUMENT_TYPE,
  INTERMEDIATE,
  ITALIAN_AREA_BY_EIC,
  LOAD_DOCUMENT_TYPE,
  MACROZONE_BY_EIC,
  NEIGHBOUR_BY_EIC,
  POWER_UNIT,
  PRICE_UNIT,
  ZONE_BY_EIC,
} from './codes.ts'
import {
  type DocumentShape,
  IMBALANCE_PRICES,
  intervalsOf,
  type PeriodIntervals,
  PRICES,
  type PublishedPeriod,
  quantitiesShape,
  readPeriods,
} from './periods.ts'

/** How many foreign domains a message lists. */
const FOREIGN_SHOWN_MAX = 5

/** Yields the zone-days, €/MWh, at the end of the document. Fails with UnreadableDocument after yielding the complete ones. */
export async function* parseEntsoeA44(text: AsyncIterable<string>): Items {
  /** Days by classification sequence: two sequences may have different values for the same interval. */
  const bySequence = new Map<number, ZoneDays>()
  const foreign = new Set<string>()
  let italianPeriods = 0
  try {
    for await (const period of readPeriods(text, PRICES)) {
      if (!isDayAhead(period)) continue
      const domain = period.series.get('in_Domain.mRID') ?? ''
      const zone = ZONE_BY_EIC.get(domain)
      if (zone === undefined) {
        if (foreign.size < FOREIGN_SHOWN_MAX) foreign.add(domain)
        continue
      }
      italianPeriods += 1
      refuseOtherUnit(period)
      const sequence = sequenceOf(period)
      const days = bySequence.get(sequence) ?? new ZoneDays()
      bySequence.set(sequence, days)
      addIntervals(days, zone, intervalsOf(period))
    }
  } catch (err) {
    yield* selectZoneDays(sortedBySequence(bySequence)).filter(isComplete)
    throw err
  }
  yield* selectZoneDays(sortedBySequence(bySequence))
  if (italianPeriods === 0) throw new UnreadableDocument('document', noPricesDetail(foreign))
}

/** Intraday auctions and flows between two zones come in documents of the same type. */
function isDayAhead({ series }: PublishedPeriod): boolean {
  const contract = series.get('contract_MarketAgreement.type') ?? DAY_AHEAD_CONTRACT
  const domain = series.get('in_Domain.mRID')
  return contract === DAY_AHEAD_CONTRACT && domain !== undefined && domain === series.get('out_Domain.mRID')
}

function refuseOtherUnit({ series, line }: PublishedPeriod): void {
  const currency = series.get('currency_Unit.name')
  const unit = series.get('price_Measure_Unit.name')
  if (currency === CURRENCY && unit === PRICE_UNIT) return
  const stated = `${currency ?? 'an unnamed currency'} per ${unit ?? 'unnamed unit'}`
  throw new UnreadableDocument(`period, line ${line}`, `prices are in ${stated}, not in ${CURRENCY} per ${PRICE_UNIT}`)
}

function sequenceOf({ series, line }: PublishedPeriod): number {
  const text = series.get('classificationSequence_AttributeInstanceComponent.position') ?? '1'
  if (/^\d{1,3}$/.test(text)) return Number(text)
  throw new UnreadableDocument(
    `period, line ${line}`,
    `the classification sequence ${JSON.stringify(text)} is no number`,
  )
}

function sortedBySequence(bySequence: Map<number, ZoneDays>): ZoneDays[] {
  return [...bySequence].sort(([a], [b]) => a - b).map(([, days]) => days)
}

function noPricesDetail(foreign: Set<string>): string {
  if (foreign.size === 0) return 'holds no day-ahead prices'
  return `holds prices of ${[...foreign].join(', ')}, none of an Italian zone (${[...ZONE_BY_EIC.values()].join(', ')})`
}

// Fundamentals from ENTSO-E: quantities (`GL_MarketDocument`: load, generation and their forecasts) and neighbours' prices. Traps: the
// domain is that of the time series, an in domain for generation, an out domain for load and for the consumption of pumped storage; curve
// type A03 omits repeated positions; a day may come in hours and in quarter-hours: the finest complete resolution is kept; for prices, a
// second classification sequence is the auction before the coupled one, which is a separate series.

/** Returns a parser of load as `series`: which of the two it is, the document's process states. */
export function parseLoad(series: 'load-forecast' | 'load') {
  return (text: AsyncIterable<string>) =>
    parseFundamentals(text, quantitiesShape(LOAD_DOCUMENT_TYPE), (period) => quantityKey(period, series))
}

export function parseRenewablesForecast(text: AsyncIterable<string>): Items {
  return parseFundamentals(text, quantitiesShape(FORECAST_DOCUMENT_TYPE), (period) =>
    quantityKey(period, FORECAST_BY_TYPE.get(typeOf(period))),
  )
}

export function parseGeneration(text: AsyncIterable<string>): Items {
  return parseFundamentals(text, quantitiesShape(GENERATION_DOCUMENT_TYPE), (period) => {
    const byType = period.series.has('inBiddingZone_Domain.mRID') ? GENERATION_BY_TYPE : CONSUMPTION_BY_TYPE
    return quantityKey(period, byType.get(typeOf(period)))
  })
}

export function parseNeighbourPrices(text: AsyncIterable<string>): Items {
  return parseFundamentals(text, PRICES, (period) => {
    const area = NEIGHBOUR_BY_EIC.get(period.series.get('in_Domain.mRID') ?? '')
    if (area === undefined || !isDayAhead(period)) return undefined
    refuseOtherUnit(period)
    const sequence = sequenceOf(period)
    return sequence > 2 ? undefined : { series: sequence === 2 ? 'early-auction-price' : 'day-ahead-price', area }
  })
}

/** Documents that are not final are refused as not yet published. */
export function parseImbalancePrices(text: AsyncIterable<string>): Items {
  return parseFundamentals(text, IMBALANCE_PRICES, (period) => {
    const area = MACROZONE_BY_EIC.get(period.series.get('area_Domain.mRID') ?? '')
    if (area === undefined) return undefined
    if (period.series.get('docStatus/value') === INTERMEDIATE)
      throw new NothingPublished('document', 'holds intermediate values: the final ones are not published yet')
    refuseOtherUnit(period)
    return { series: 'imbalance-price', area }
  })
}

/** Yields the days at the end of the document. `keyOf` returns the series and area of a period; undefined if it is not read. */
async function* parseFundamentals(
  text: AsyncIterable<string>,
  shape: DocumentShape,
  keyOf: (period: PublishedPeriod) => FundamentalKey | undefined,
): Items {
  const days = new ZoneDays<FundamentalName>()
  let matchingPeriods = 0
  try {
    for await (const period of readPeriods(text, shape)) {
      const key = keyOf(period)
      if (key === undefined) continue
      matchingPeriods += 1
      addIntervals(days, fundamentalName(key), intervalsOf(period))
    }
  } catch (err) {
    yield* selectZoneDays([days]).filter(isComplete).map(asFundamental)
    throw err
  }
  yield* selectZoneDays([days]).map(asFundamental)
  if (matchingPeriods === 0) throw new UnreadableDocument('document', 'holds nothing of an area and kind that is read')
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

// Splits periods into market days, and chooses one statement if a day is stated more than once.

/** Splits the intervals into market days. */
function addIntervals<Zone extends string>(
  days: ZoneDays<Zone>,
  zone: Zone,
  { resolutionMinutes, intervals }: PeriodIntervals,
): void {
  const length = resolutionMinutes * 60_000
  let day: OpenDay<Zone> | undefined
  for (const { startMilliseconds, stated, place } of intervals) {
    if (day === undefined || !contains(day, startMilliseconds)) {
      const marketDay = marketDayOf(Temporal.Instant.fromEpochMilliseconds(startMilliseconds))
      day = days.open(marketDay.toString(), resolutionMinutes)
      if (day === undefined) throw new UnreadableDocument(place, `is of the impossible day ${marketDay}`)
    }
    const ordinal = (startMilliseconds - day.startMilliseconds) / length + 1
    const trouble =
      typeof stated !== 'number'
        ? stated
        : Number.isInteger(ordinal)
          ? day.put(zone, ordinal, stated)
          : { code: 'wrong_instant' as const, detail: `no interval of ${day.isoDay} starts where this one does` }
    if (trouble) day.report(zone, place, trouble)
  }
}

function contains(day: Pick<OpenDay, 'startMilliseconds' | 'startOf' | 'intervals'>, milliseconds: number): boolean {
  return milliseconds >= day.startMilliseconds && milliseconds < day.startOf(day.intervals + 1)
}

/** Chooses one item per zone and day: the finest complete resolution, else the finest; among those, the first gathered. */
function selectZoneDays<Zone extends string>(gathered: readonly ZoneDays<Zone>[]): ZoneDay<Zone>[] {
  const candidates = gathered.flatMap((days) => days.takeAll()).filter((item) => item.kind === 'zone-day')
  const byZoneAndDay = Map.groupBy(candidates, ({ zone, day }) => `${day} ${zone}`)
  return [...byZoneAndDay.values()].map((same) => {
    const [finest] = same.sort((a, b) => a.resolutionMinutes - b.resolutionMinutes)
    return same.find(isComplete) ?? (finest as ZoneDay<Zone>)
  })
}

function isComplete({ prices, faults }: Pick<ZoneDay, 'prices' | 'faults'>): boolean {
  return faults.length === 0 && !prices.includes(undefined)
}
