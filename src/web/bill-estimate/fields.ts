/** The fields of the form, each validated separately, so that an error is shown next to its field. */
import { annualConsumption } from '../../api/contract/bill-estimate.ts'
import { readQuery } from '../../api/http/query.ts'
import { commodity, priceType } from '../../market/offers.ts'
import { isAmbiguous, withDecimalPoint } from '../decimal.ts'

export const FIELDS = ['commodity', 'consumption', 'price_type'] as const
export type FieldName = (typeof FIELDS)[number]
type Problem = FieldName | 'separator'

export interface Fields {
  /** Values as sent, else the defaults. */
  values: Record<FieldName, string>
  /** Whether the form was sent at all. */
  isSent: boolean
  problems: Partial<Record<FieldName, Problem>>
}

const DEFAULT_VALUES = { commodity: 'luce', consumption: '', price_type: 'variabile' }

/** Throws `invalid_parameter` for parameters that the form does not have. An empty field is reported as missing. */
export function readFields(url: string): Fields {
  const sent = new URL(url, 'http://localhost').searchParams
  const empty = FIELDS.filter((name) => sent.get(name) === '')
  const values = {
    ...DEFAULT_VALUES,
    ...readQuery(url, FIELDS, empty),
    ...Object.fromEntries(empty.map((name) => [name, ''])),
  }
  const isSent = FIELDS.some((name) => sent.has(name))
  return { values, isSent, problems: isSent ? problemsOf(values) : {} }
}

/** Converts `2700,5`, as Italians write it, to the 2700.5 that the API expects. */
export function toQuery({ commodity, consumption, price_type }: Record<FieldName, string>): Record<FieldName, string> {
  return { commodity, consumption: withDecimalPoint(consumption), price_type }
}

function problemsOf(values: Record<FieldName, string>): Fields['problems'] {
  const query = toQuery(values)
  const problems: Fields['problems'] = {}
  if (!commodity.safeParse(query.commodity).success) problems.commodity = 'commodity'
  if (!priceType.safeParse(query.price_type).success) problems.price_type = 'price_type'
  if (isAmbiguous(values.consumption)) problems.consumption = 'separator'
  else if (!annualConsumption.safeParse(query.consumption).success) problems.consumption = 'consumption'
  return problems
}
