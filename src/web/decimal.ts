/** Decimal numbers as people enter them in forms, with a comma or a point. */
import * as z from 'zod'
import type { Language } from './i18n/language.ts'

/** Matches `2.700`, which Italians may mean as 2700 but programs read as 2.7. */
const THOUSANDS = '[1-9]\\d{0,2}(?:[.,]\\d{3})+'
const IS_THOUSANDS = new RegExp(`^${THOUSANDS}$`)

/** For the attribute `pattern` of a field. */
export const DECIMAL_PATTERN = `(?!${THOUSANDS}(?: |$))\\d{1,7}(?:[.,]\\d{1,6})?`
/** One value for all months, or twelve from January on. */
export const MONTHLY_PATTERN = `${DECIMAL_PATTERN}(?:(?: ${DECIMAL_PATTERN}){11})?`

/** Converts `2700,5` to `2700.5`. */
export function withDecimalPoint(text: string): string {
  return text.trim().replace(',', '.')
}

/** Returns whether the text is ambiguous: `2.700` may be 2700 or 2.7. */
export function isAmbiguous(text: string): boolean {
  return IS_THOUSANDS.test(text.trim())
}

/** A decimal in the query of a page. */
export function decimalField({ max, byDefault }: { max: number; byDefault: number }) {
  const problem = `must be a number from 0 to ${max} without thousands separators, such as 1250,5`
  return z
    .string()
    .regex(new RegExp(`^${DECIMAL_PATTERN}$`), problem)
    .transform((text) => Number(withDecimalPoint(text)))
    .refine((value) => value <= max, problem)
    .default(byDefault)
}

/** One value for all months, or twelve from January on, in the query of a page. */
export function monthlyField({ max }: { max: number }) {
  const problem = `must be a number from 0 to ${max} without thousands separators, such as 1250,5, or twelve with a space between`
  return z
    .string()
    .regex(new RegExp(`^${MONTHLY_PATTERN}$`), problem)
    .transform((text) => text.split(' ').map((one) => Number(withDecimalPoint(one))))
    .refine((values) => values.every((value) => value <= max), problem)
    .default([0])
}

/** Formats a value for its field: `1250,5` in Italian. 1.125 gets a fourth decimal, since it would otherwise be ambiguous. */
export function decimalText(value: number, language: Language): string {
  const text = isAmbiguous(String(value)) ? `${value}0` : String(value)
  return language === 'it' ? text.replace('.', ',') : text
}
