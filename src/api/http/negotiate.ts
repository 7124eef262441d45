/** Which format and which content encoding a request gets. */
import type { Request } from 'express'
import type { Format } from '../contract/plans.ts'

const ENCODINGS = ['identity', 'gzip', 'br'] as const
export type Encoding = (typeof ENCODINGS)[number]

export const MEDIA_TYPES: Record<Format, string> = {
  json: 'application/json',
  csv: 'text/csv',
  arrow: 'application/vnd.apache.arrow.stream',
}

/** The parameter wins over `Accept`; an `Accept` that fits nothing gets JSON. */
export function chooseFormat(formats: readonly Format[], parameter: unknown, req: Pick<Request, 'accepts'>): Format {
  const asked = formats.find((format) => format === parameter)
  if (asked) return asked
  if (formats.length === 1) return formats[0] ?? 'json'
  const accepted = req.accepts(formats.map((format) => MEDIA_TYPES[format]))
  return formats.find((format) => MEDIA_TYPES[format] === accepted) ?? 'json'
}

/** The compression a client prefers, Brotli where it is equal: `preferredEncoding('gzip, deflate, br')` is `br`. */
export function preferredEncoding(acceptEncoding: string | undefined): Encoding {
  if (!acceptEncoding) return 'identity'
  const weights = new Map(acceptEncoding.toLowerCase().split(',').map(weighted))
  const brotli = weights.get('br') ?? 0
  const gzip = weights.get('gzip') ?? weights.get('*') ?? 0
  if (brotli > 0 && brotli >= gzip) return 'br'
  return gzip > 0 ? 'gzip' : 'identity'
}

/** `gzip;q=0.5` is `['gzip', 0.5]`; no weight is 1, a weight that is no number 0. */
function weighted(item: string): [name: string, weight: number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
  const q = parameters.find((parameter) => parameter.startsWith('q='))
  return [name, q === undefined ? 1 : Number(q.slice(2)) || 0]
}
