/** Reads JSON documents whole, up to a size limit, with no assumption about their shape. */

import { type Fault, UnreadableDocument } from '../faults.ts'
import { describePriceFault, readDecimal } from './decimals.ts'

/** Several times the largest response of any publisher. */
const CHARACTERS_MAX = 16 * 1024 * 1024

export type JsonRecord = Readonly<Record<string, unknown>>

/** Returns the document's value. Fails with UnreadableDocument if it is truncated, not JSON, or too long. */
export async function readJson(text: AsyncIterable<string>): Promise<unknown> {
  let all = ''
  for await (const piece of text) {
    all += piece
    if (all.length > CHARACTERS_MAX) {
      throw new UnreadableDocument('document', `too large: JSON may have ${CHARACTERS_MAX / 1024 / 1024} MiB`)
    }
  }
  try {
    return JSON.parse(all)
  } catch (err) {
    throw new UnreadableDocument('document', `cut off or not JSON (${(err as Error).message.slice(0, 200)})`)
  }
}

/** Whether the value is an object with named fields. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the row as an object; throws UnreadableDocument if it is anything else. */
export function asRecord(row: unknown, place: string): JsonRecord {
  if (isRecord(row)) return row
  throw new UnreadableDocument(place, `is ${shown(row)} where an object belongs`)
}

/** Returns numbers and strings as text, since publishers switch between them; empty if null or absent, undefined for anything else. */
export function scalarText(value: unknown): string | undefined {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' ? String(value) : undefined
}

/** Reads a price with a decimal point, given as a string or a number; undefined if it is null, absent or empty. */
export function readPrice(value: unknown): number | undefined | Omit<Fault, 'place'> {
  const text = scalarText(value)
  if (text === '') return undefined
  const price = text === undefined ? 'not_a_number' : readDecimal(text, '.')
  return typeof price === 'number'
    ? price
    : { code: price, detail: describePriceFault(price, text ?? shown(value), '.') }
}

/** A value for a message, shortened. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
