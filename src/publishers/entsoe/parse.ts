/**
 * Zone prices from ENTSO-E's answers to document type A44, `Publication_MarketDocument` of the schema versions 7:0 and 7:3. Traps:
 * with curve type A03 (all of 7:3) a position left out repeats the one before, to the end of its period; a market may come twice,
 * in hours and in quarter-hours or in several auctions distinguished by the classification sequence; a period may cover several market
 * days; there is no PUN; where nothing is published the answer is an `Acknowledgement_MarketDocument`. One resolution and one
 * sequence per zone and day, never mixed: the finest that has every interval, else the finest; of those the lowest sequence.
 */

import { marketDayOf } from '../../market/market-day.ts'
import type { ZoneCode } from '../../market/zones.ts'
import { UnreadableDocument } from '../faults.ts'
import type { Items, ZoneDay } from '../observations.ts'
import { type OpenDay, ZoneDays } from '../reading/zone-days.ts'
import { CURRENCY, DAY_AHEAD_CONTRACT, PRICE_UNIT, ZONE_BY_EIC } from './codes.ts'
import { intervalsOf, type PeriodIntervals } from './intervals.ts'
import { type PricePeriod, readPeriods } from './periods.ts'

/** As many as a message names. */
const FOREIGN_SHOWN_MAX = 5

/** Yields the zone-days of the document, €/MWh, at its end. Fails with UnreadableDocument after what is complete. */
export async function* parseEntsoeA44(text: AsyncIterable<string>): Items {
  /** By classification sequence: different values of two of them are no contradiction. */
  const bySequence = new Map<number, ZoneDays>()
  const foreign = new Set<string>()
  let ours = 0
  try {
    for await (const period of readPeriods(text)) {
      if (!isDayAhead(period)) continue
      const domain = period.series.get('in_Domain.mRID') ?? ''
      const zone = ZONE_BY_EIC.get(domain)
      if (zone === undefined) {
        if (foreign.size < FOREIGN_SHOWN_MAX) foreign.add(domain)
        continue
      }
      ours += 1
      refuseOtherUnit(period)
      const sequence = sequenceOf(period)
      const days = bySequence.get(sequence) ?? new ZoneDays()
      bySequence.set(sequence, days)
      addIntervals(days, zone, intervalsOf(period))
    }
  } catch (err) {
    yield* chosen(bySequence).filter(isWhole)
    throw err
  }
  yield* chosen(bySequence)
  if (ours === 0) throw new UnreadableDocument('document', nothingFor(foreign))
}

/** Intraday auctions and flows between two zones come in documents of the same type. */
function isDayAhead({ series }: PricePeriod): boolean {
  const contract = series.get('contract_MarketAgreement.type') ?? DAY_AHEAD_CONTRACT
  const domain = series.get('in_Domain.mRID')
  return contract === DAY_AHEAD_CONTRACT && domain !== undefined && domain === series.get('out_Domain.mRID')
}

function refuseOtherUnit({ series, line }: PricePeriod): void {
  const currency = series.get('currency_Unit.name')
  const unit = series.get('price_Measure_Unit.name')
  if (currency === CURRENCY && unit === PRICE_UNIT) return
  const stated = `${currency ?? 'an unnamed currency'} per ${unit ?? 'unnamed unit'}`
  throw new UnreadableDocument(`period, line ${line}`, `prices are in ${stated}, not in ${CURRENCY} per ${PRICE_UNIT}`)
}

function sequenceOf({ series, line }: PricePeriod): number {
  const text = series.get('classificationSequence_AttributeInstanceComponent.position') ?? '1'
  if (/^\d{1,3}$/.test(text)) return Number(text)
  throw new UnreadableDocument(
    `period, line ${line}`,
    `the classification sequence ${JSON.stringify(text)} is no number`,
  )
}

/** Cuts the intervals into market days. */
function addIntervals(days: ZoneDays, zone: ZoneCode, { resolutionMinutes, intervals }: PeriodIntervals): void {
  const length = resolutionMinutes * 60_000
  let day: OpenDay | undefined
  for (const { startMilliseconds, stated, place } of intervals) {
    if (day === undefined || !contains(day, startMilliseconds)) {
      const marketDay = marketDayOf(Temporal.Instant.fromEpochMilliseconds(startMilliseconds))
      day = days.open(marketDay.toString(), resolutionMinutes)
      if (day === undefined) throw new UnreadableDocument(place, `has prices of the impossible day ${marketDay}`)
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

function contains(day: OpenDay, milliseconds: number): boolean {
  return milliseconds >= day.startMilliseconds && milliseconds < day.startOf(day.intervals + 1)
}

/** One of each zone and day: see the head of this file. */
function chosen(bySequence: Map<number, ZoneDays>): ZoneDay[] {
  const inOrderOfSequence = [...bySequence].sort(([a], [b]) => a - b)
  const candidates = inOrderOfSequence.flatMap(([, days]) => days.takeAll()).filter((item) => item.kind === 'zone-day')
  const byZoneAndDay = Map.groupBy(candidates, ({ zone, day }) => `${day} ${zone}`)
  return [...byZoneAndDay.values()].map((same) => {
    const [finest] = same.sort((a, b) => a.resolutionMinutes - b.resolutionMinutes)
    return same.find(isWhole) ?? (finest as ZoneDay)
  })
}

function isWhole({ prices, faults }: ZoneDay): boolean {
  return faults.length === 0 && !prices.includes(undefined)
}

function nothingFor(foreign: Set<string>): string {
  if (foreign.size === 0) return 'holds no day-ahead prices'
  return `holds prices of ${[...foreign].join(', ')}, none of an Italian zone (${[...ZONE_BY_EIC.values()].join(', ')})`
}
