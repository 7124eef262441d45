import { z } from 'zod'

/** A variable that is a whole number; any other value gets a clear message. */
export function wholeNumber(min: number, max?: number) {
  const message = `must be a whole number${max === undefined ? `, at least ${min}` : ` from ${min} to ${max}`}`
  const number = z.coerce.number(message).int(message).min(min, message)
  return max === undefined ? number : number.max(max, message)
}
