/** Negotiates the format and the content encoding of a response. */
import type { IncomingMessage } from 'node:http'
import express from 'express'
import { LRUCache } from 'lru-cache'
import type { Format } from '../contract/plans.ts'

const ENCODINGS = ['identity', 'gzip', 'br'] as const
export type Encoding = (typeof ENCODINGS)[number]

export const MEDIA_TYPES: Record<Format, string> = {
  json: 'application/json',
  csv: 'text/csv',
  arrow: 'application/vnd.apache.arrow.stream',
  ics: 'text/calendar',
}

export const EVENT_STREAM = 'text/event-stream'

/** Parameters of media types, except the weight: `Accept: text/csv; charset=utf-8` requests what is sent as that type. */
const PARAMETERS = /;(?!\s*q\s*=)[^;,]*/gi

/** The parameter takes precedence over `Accept`; an `Accept` without a match gets JSON. */
export function chooseFormat(formats: readonly Format[], parameter: unknown, req: IncomingMessage): Format {
  const asked = formats.find((format) => format === parameter)
  if (asked) return asked
  if (formats.length === 1) return formats[0] ?? 'json'
  const types = formats.map((format) => MEDIA_TYPES[format])
  const headers = { accept: req.headers.accept?.replace(PARAMETERS, '') }
  const accepted = express.request.accepts.apply({ headers } as IncomingMessage, types) // it only reads the headers
  return formats.find((format) => MEDIA_TYPES[format] === accepted) ?? 'json'
}

/** Clients send few different values of `Accept-Encoding`. */
const preferences = new LRUCache<string, Encoding>({ max: 100 })

/** Returns the compression that a client prefers, Brotli among equals: `preferredEncoding('gzip, deflate, br')` is `br`. */
export function preferredEncoding(acceptEncoding: string | undefined): Encoding {
  if (!acceptEncoding) return 'identity'
  let preferred = preferences.get(acceptEncoding)
  if (preferred === undefined) {
    preferred = selectEncoding(acceptEncoding)
    preferences.set(acceptEncoding, preferred)
  }
  return preferred
}

function selectEncoding(acceptEncoding: string): Encoding {
  const weights = new Map(acceptEncoding.toLowerCase().split(',').map(weighted))
  const brotli = weights.get('br') ?? 0
  const gzip = weights.get('gzip') ?? weights.get('*') ?? 0
  if (brotli > 0 && brotli >= gzip) return 'br'
  return gzip > 0 ? 'gzip' : 'identity'
}

/** `gzip;q=0.5` is `['gzip', 0.5]`; a missing weight is 1, an invalid one 0. */
function weighted(item: string): [name: string, weight: number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
  const q = parameters.find((parameter) => parameter.startsWith('q='))
  return [name, q === undefined ? 1 : Number(q.slice(2)) || 0]
}
