/** The gate for offer lists, and their entries in the import summary. Individual offers are checked by their parsers. */

import { counted } from '../market/counted.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { OfferDay } from '../publishers/arera-offers/offer.ts'
import type { OfferNote } from '../publishers/arera-offers/reasons.ts'
import type { Fault } from '../publishers/faults.ts'
import type { OfferCounts } from '../store/offer-writer.ts'
import type { Verdict } from './gate.ts'

/** A list with less than half the offers of the nearest day is considered incomplete. */
const SHARE_OF_NEARBY_MIN = 0.5
/** A list is dated the day on which it was made, or the next. */
const OFFER_DAYS_AHEAD = 1

/** One stored list of one day. */
export interface OfferDayReport extends OfferCounts {
  document: string
  dataset: OfferDay['dataset']
  /** YYYY-MM-DD */
  day: string
  /** Offers read, used or excluded. */
  read: number
  excluded: OfferDay['excluded']
  /** Number of used offers with each note. */
  notes: { note: OfferNote; offers: number }[]
}

/** `nearbyOfferCount`: number of offers, used or excluded, on the nearest stored day; undefined if there is none. */
export function gateOfferDay(
  item: OfferDay,
  { nearbyOfferCount, today }: { nearbyOfferCount: number | undefined; today: MarketDay },
): Verdict {
  const faults: Fault[] = [...item.faults]
  const place = `${item.dataset} ${item.day}`
  const read = countRead(item)
  if (Temporal.PlainDate.compare(item.day, today.add({ days: OFFER_DAYS_AHEAD })) > 0) {
    const detail = `is after tomorrow: such a list would be the latest until then`
    faults.push({ code: 'future_day', place, detail })
  }
  if (nearbyOfferCount !== undefined && read < nearbyOfferCount * SHARE_OF_NEARBY_MIN) {
    const detail = `has ${counted(read, 'offer')}, the nearest day that is stored ${nearbyOfferCount}: taken for a part of the list`
    faults.push({ code: 'incomplete_day', place, detail })
  }
  return faults.length === 0 ? { accepted: true } : { accepted: false, faults }
}

export function reportOfferDay(item: OfferDay, document: string, counts: OfferCounts): OfferDayReport {
  const { dataset, day, excluded } = item
  return { ...counts, document, dataset, day: day.toString(), read: countRead(item), excluded, notes: countNotes(item) }
}

function countRead({ offers, excluded }: OfferDay): number {
  return excluded.reduce((sum, exclusion) => sum + exclusion.offers, offers.length)
}

function countNotes({ offers }: OfferDay): OfferDayReport['notes'] {
  const byNote = Map.groupBy(
    offers.flatMap(({ notes }) => notes),
    (note) => note,
  )
  return [...byNote].map(([note, all]) => ({ note, offers: all.length })).sort((a, b) => b.offers - a.offers)
}
