/**
 * Zone prices from ENTSO-E's answers to document type A44, `Publication_MarketDocument` of the schema versions 7:0 and 7:3. Traps:
 * with curve type A03 (all of 7:3) a position left out repeats the one before, to the end of its period; a market may come twice,
 * in hours and in quarter-hours or in several auctions distinguished by the classification sequence; a period may cover several market
 * days; there is no PUN; where nothing is published the answer is an `Acknowledgement_MarketDocument`. One resolution and one
 * sequence per zone and day, never mixed: the finest that has every interval, else the finest; of those the lowest sequence.
 */

import { UnreadableDocument } from '../faults.ts'
import type { Items } from '../observations.ts'
import { ZoneDays } from '../reading/zone-days.ts'
import { CURRENCY, DAY_AHEAD_CONTRACT, PRICE_UNIT, ZONE_BY_EIC } from './codes.ts'
import { intervalsOf } from './intervals.ts'
import { addIntervals, chosen, isWhole } from './market-days.ts'
import { PRICES, type PublishedPeriod, readPeriods } from './periods.ts'

/** As many as a message names. */
const FOREIGN_SHOWN_MAX = 5

/** Yields the zone-days of the document, €/MWh, at its end. Fails with UnreadableDocument after what is complete. */
export async function* parseEntsoeA44(text: AsyncIterable<string>): Items {
  /** By classification sequence: different values of two of them are no contradiction. */
  const bySequence = new Map<number, ZoneDays>()
  const foreign = new Set<string>()
  let ours = 0
  try {
    for await (const period of readPeriods(text, PRICES)) {
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
    yield* chosen(inOrder(bySequence)).filter(isWhole)
    throw err
  }
  yield* chosen(inOrder(bySequence))
  if (ours === 0) throw new UnreadableDocument('document', nothingFor(foreign))
}

/** Intraday auctions and flows between two zones come in documents of the same type. */
export function isDayAhead({ series }: PublishedPeriod): boolean {
  const contract = series.get('contract_MarketAgreement.type') ?? DAY_AHEAD_CONTRACT
  const domain = series.get('in_Domain.mRID')
  return contract === DAY_AHEAD_CONTRACT && domain !== undefined && domain === series.get('out_Domain.mRID')
}

export function refuseOtherUnit({ series, line }: PublishedPeriod): void {
  const currency = series.get('currency_Unit.name')
  const unit = series.get('price_Measure_Unit.name')
  if (currency === CURRENCY && unit === PRICE_UNIT) return
  const stated = `${currency ?? 'an unnamed currency'} per ${unit ?? 'unnamed unit'}`
  throw new UnreadableDocument(`period, line ${line}`, `prices are in ${stated}, not in ${CURRENCY} per ${PRICE_UNIT}`)
}

export function sequenceOf({ series, line }: PublishedPeriod): number {
  const text = series.get('classificationSequence_AttributeInstanceComponent.position') ?? '1'
  if (/^\d{1,3}$/.test(text)) return Number(text)
  throw new UnreadableDocument(
    `period, line ${line}`,
    `the classification sequence ${JSON.stringify(text)} is no number`,
  )
}

function inOrder(bySequence: Map<number, ZoneDays>): ZoneDays[] {
  return [...bySequence].sort(([a], [b]) => a - b).map(([, days]) => days)
}

function nothingFor(foreign: Set<string>): string {
  if (foreign.size === 0) return 'holds no day-ahead prices'
  return `holds prices of ${[...foreign].join(', ')}, none of an Italian zone (${[...ZONE_BY_EIC.values()].join(', ')})`
}
