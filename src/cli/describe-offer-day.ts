/** What the import says of a list of offers: what became of it, and why offers are not in use, each reason with an example. */

import type { OfferDayReport } from '../ingest/offer-days.ts'
import { counted } from '../market/counted.ts'
import { EXCLUSION_REASONS, NOTES } from '../publishers/arera-offers/reasons.ts'

/** Lines, the first being the sum. */
export function describeOfferDay(report: OfferDayReport): string[] {
  const { document, dataset, day, read, added, changed, withdrawn, unchanged, excluded, notes } = report
  const used = added + changed + unchanged
  const lines = [
    `${document}: ${dataset} ${day}: ${counted(read, 'offer')} read, ${used} in use (${added} new, ${changed} changed, ${unchanged} unchanged), ` +
      `${withdrawn} withdrawn; ${read - used} left out${excluded.length === 0 ? '' : ':'}`,
  ]
  for (const { reason, offers, examples } of excluded) {
    lines.push(`  ${offers} ${reason}: ${EXCLUSION_REASONS[reason]} (${examples[0]})`)
  }
  if (notes.length > 0) lines.push('  of those in use:')
  for (const { note, offers } of notes) lines.push(`  ${offers} ${note}: ${NOTES[note]}`)
  return lines
}
