/** Tells ENTSO-E's documents apart by what they say at their beginning. */
import type { TextHead } from '../documents.ts'
import { ACKNOWLEDGEMENT_ROOT, NEIGHBOUR_BY_EIC, PRICES_ROOT, QUANTITIES_ROOT } from './codes.ts'

/** Of whatever was requested. */
export function isAcknowledgement({ root }: TextHead): boolean {
  return root === ACKNOWLEDGEMENT_ROOT
}

export function isPrices({ root }: TextHead): boolean {
  return root === PRICES_ROOT
}

/** By its first time series: an answer is of one area. */
export function isNeighbourPrices(head: TextHead): boolean {
  return isPrices(head) && NEIGHBOUR_BY_EIC.has(textIn(head, 'in_Domain.mRID') ?? '')
}

/** Load or generation of that document type, and of that process where one is named. */
export function isQuantities(head: TextHead, type: string, process?: string): boolean {
  return (
    head.root === QUANTITIES_ROOT &&
    textIn(head, 'type') === type &&
    (process === undefined || textIn(head, 'process.processType') === process)
  )
}

/** The text of the first element of that name. */
function textIn({ xml = '' }: TextHead, name: string): string | undefined {
  return new RegExp(`<(?:[\\w-]+:)?${name.replace('.', '\\.')}(?:\\s[^>]*)?>\\s*([^<\\s]+)`).exec(xml)?.[1]
}
