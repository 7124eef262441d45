/** JSON documents: read whole, within a limit, and with no assumption about their shape. */

import { type Fault, UnreadableDocument } from '../faults.ts'
import { describePriceFault, readDecimal } from './decimals.ts'

/** Several times the largest answer any of the publishers gives. */
const CHARACTERS_MAX = 16 * 1024 * 1024

export type JsonRecord = Readonly<Record<string, unknown>>

/** The document's value. Fails with UnreadableDocument where it is cut off, no JSON, or too long. */
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

/** Fails with UnreadableDocument where a row is anything else. */
export function asRecord(row: unknown, place: string): JsonRecord {
  if (isRecord(row)) return row
  throw new UnreadableDocument(place, `is ${shown(row)} where an object belongs`)
}

/** Numbers and strings as text, as publishers change between the two; empty for null and absent, undefined for anything else. */
export function scalarText(value: unknown): string | undefined {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' ? String(value) : undefined
}

/** A price with a decimal point, stated as a string or a number; undefined where none is stated: null, absent or empty. */
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
