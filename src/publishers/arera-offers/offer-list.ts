/** Collects the offers of one list for one day. Each is counted once, as used or as excluded with a reason. */

import type { MarketDay } from '../../market/market-day.ts'
import type { Fault } from '../faults.ts'
import type { Exclusion, Offer, OfferDataset, OfferDay } from './offer.ts'
import { ExcludedOffer, type ExclusionReason, type OfferGroup } from './reasons.ts'

const EXAMPLES_MAX = 5
/** With fewer offers, the day of a list is not checked. */
const OFFERS_FOR_A_VERDICT = 10

export class OfferList {
  readonly dataset: OfferDataset
  readonly day: MarketDay
  readonly #offers = new Map<string, { offer: Offer; place: string }>()
  /** Keys that occur in the list with different contents. */
  readonly #conflicting = new Set<string>()
  readonly #excluded = new Map<ExclusionReason, Exclusion>()
  #read = 0

  constructor(dataset: OfferDataset, day: MarketDay) {
    this.dataset = dataset
    this.day = day
  }

  /** Adds the offer that `read` returns, or counts the reason why it is excluded. */
  add(place: string, read: () => Offer): void {
    this.#read += 1
    try {
      this.#addOffer(place, read())
    } catch (err) {
      if (!(err instanceof ExcludedOffer)) throw err
      this.#exclude(err.reason, place, err.detail, err.group)
    }
  }

  finish(): OfferDay {
    return {
      kind: 'offer-day',
      dataset: this.dataset,
      day: this.day,
      offers: [...this.#offers.values()].map(({ offer }) => offer),
      excluded: [...this.#excluded.values()].sort((a, b) => b.offers - a.offers || (a.reason < b.reason ? -1 : 1)),
      faults: this.#wrongDay(),
    }
  }

  #addOffer(place: string, offer: Offer): void {
    const key = `${offer.supplier} ${offer.code}`
    const before = this.#offers.get(key)
    if (this.#conflicting.has(key)) this.#exclude('conflicting_duplicate', place, 'the same code again')
    else if (before === undefined) this.#offers.set(key, { offer, place })
    else if (JSON.stringify(before.offer) === JSON.stringify(offer))
      this.#exclude('duplicate', place, `as at ${before.place}`)
    else {
      this.#conflicting.add(key)
      this.#offers.delete(key)
      this.#exclude('conflicting_duplicate', before.place, `not as at ${place}`)
      this.#exclude('conflicting_duplicate', place, `not as at ${before.place}`)
    }
  }

  #exclude(reason: ExclusionReason, place: string, detail: string, group?: OfferGroup): void {
    const exclusion = this.#excluded.get(reason) ?? { reason, offers: 0, examples: [] }
    exclusion.offers += 1
    if (exclusion.examples.length < EXAMPLES_MAX) exclusion.examples.push(`${place}: ${detail}`)
    if (group !== undefined) countGroup(exclusion, group)
    this.#excluded.set(reason, exclusion)
  }

  /** The files do not state their day, but on the right day most of their offers can be signed. */
  #wrongDay(): Fault[] {
    const count = (reason: ExclusionReason) => this.#excluded.get(reason)?.offers ?? 0
    const outside = count('expired') + count('not_yet_valid')
    if (this.#read < OFFERS_FOR_A_VERDICT || outside * 2 <= this.#read) return []
    const detail = `${outside} of ${this.#read} offers cannot be signed on ${this.day}, the day that the file's name says`
    return [{ code: 'wrong_day', place: this.dataset, detail }]
  }
}

function countGroup(exclusion: Exclusion, { priceType, customer }: OfferGroup): void {
  exclusion.groups ??= []
  const known = exclusion.groups.find((group) => group.priceType === priceType && group.customer === customer)
  if (known === undefined) exclusion.groups.push({ priceType, customer, offers: 1 })
  else known.offers += 1
}
