/** Brent from EIA's API v2, page by page. The key must be in the query; a suspended key is answered with 403 for some minutes. */
import { SourceUnreachable } from '../../platform/fetch/outcomes.ts'
import type { Secret } from '../../platform/secret.ts'
import { addressBelow, getDocument } from '../fetch-days.ts'
import type { Way } from '../publisher.ts'
import { isRecord } from '../reading/json-document.ts'
import type { CommonSettings } from '../settings.ts'
import { SERIES } from './codes.ts'

const API_URL = 'https://api.eia.gov'
const PATH = '/v2/petroleum/pri/spt/data/'
/** As many rows as the API gives at a time; it may give fewer, so the next page begins where this one ended. */
const PAGE_ROWS = 5_000
/** Longer than the series will be for a long time. */
const PAGES_MAX = 20
const RATE_LIMIT_SECONDS = 300

export function connectEiaBrent({
  ADDRESS: base = new URL(API_URL),
  EIA_API_KEY: key,
}: CommonSettings & { EIA_API_KEY: Secret }): Way {
  return {
    way: 'API',
    maxDaysPerRequest: 3_660,
    async *fetch(days, io) {
      let offset = 0
      for (let page = 1; page <= PAGES_MAX; page++) {
        const url = addressBelow(base, PATH, {
          frequency: 'daily',
          'data[0]': 'value',
          'facets[series][]': SERIES,
          start: days.from.toString(),
          end: days.to.toString(),
          'sort[0][column]': 'period',
          'sort[0][direction]': 'asc',
          offset: String(offset),
          length: String(PAGE_ROWS),
        })
        const name = `brent_${days.from}_${days.to}_${page}.json`
        const request = { secretQuery: { api_key: key }, conditional: false, meaningOf }
        const document = await getDocument(url, { name, days }, io, request)
        if (document === undefined) return
        yield document
        const { total, rows } = extentOf(document.bytes)
        offset += rows
        if (rows === 0 || offset >= total) return
      }
    },
  }
}

/** `OVER_RATE_LIMIT` is not a refusal of the key. */
function meaningOf(_status: number, text: string): Error | undefined {
  if (!/OVER_RATE_LIMIT/.test(text)) return undefined
  return new SourceUnreachable('answers OVER_RATE_LIMIT', { retryable: true, retryAfterSeconds: RATE_LIMIT_SECONDS })
}

/** Rows there are in all (a text or a number) and in this answer; none for any other answer: the parser will report why. */
function extentOf(bytes: Buffer): { total: number; rows: number } {
  try {
    const body: unknown = JSON.parse(bytes.toString('utf8'))
    const response = isRecord(body) ? body.response : undefined
    if (!isRecord(response) || !Array.isArray(response.data)) return { total: 0, rows: 0 }
    return { total: Number(response.total) || 0, rows: response.data.length }
  } catch (err) {
    if (err instanceof SyntaxError) return { total: 0, rows: 0 }
    throw err
  }
}
