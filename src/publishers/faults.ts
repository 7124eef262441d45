/** Faults in a publisher's data. Parsers report them; the gate (`src/ingest/gate.ts`) decides what is accepted. */

/** Why a value, a day or a document is not accepted. Stored with the quarantined day and counted in the import summary. */
const FAULT_CODES = [
  'not_a_number', // text where a price belongs
  'mixed_decimal_marks', // a decimal comma and a decimal point in one document
  'duplicate_interval', // one interval stated twice with different prices
  'interval_out_of_day', // ordinal 25 of a 24-hour day
  'wrong_instant', // start_utc does not belong to flow_date and ora
  'wrong_day', // the document's day is not the one requested or named
  'past_day', // before the first day that can have a value
  'future_day', // a price before its auction, or output before its metering
  'incomplete_day', // 95 of 96 quarters
  'zero_run', // exact zeros that the neighbouring intervals contradict
  'price_out_of_limits', // outside the market's harmonised limits
  'wrong_unit', // in a thousandth of the unit, by comparison with the nearest days
  'impossible_date', // 2026-02-30
  'unreadable_document', // truncated, not well-formed, too large, unknown layout
] as const
export type FaultCode = (typeof FAULT_CODES)[number]

export interface Fault {
  code: FaultCode
  /** Where: `line 17, column PUN`, `Prezzi 24`. */
  place: string
  /** One sentence for a person, naming the offending text. */
  detail: string
}

/** Thrown when nothing more can be read; complete items before that have already been yielded. */
export class UnreadableDocument extends Error {
  readonly fault: Fault
  constructor(place: string, detail: string) {
    super(`${place}: ${detail}`)
    this.name = 'UnreadableDocument'
    this.fault = { code: 'unreadable_document', place, detail }
  }
}

/** A well-formed response without data: an empty list, an archive without files, an acknowledgement in place of prices. */
export class NothingPublished extends UnreadableDocument {
  override name = 'NothingPublished'
}
