/** GME's API: login, token, and responses with a base64-encoded ZIP. */

import { zipArchive } from '../zip-archive.ts'
import { CREDENTIALS } from './credentials.ts'
import type { PublisherAnswer, PublisherRequest } from './publisher-server.ts'

export interface GmeApiQuery {
  segment: string
  dataName: string
  from: Temporal.PlainDate
  to: Temporal.PlainDate
  granularity: string | undefined
}

/** Returns undefined for requests to other paths. A token expires after `tokenLife()` requests. */
export function gmeApi(tokenLife: () => number, rowsOf: (query: GmeApiQuery, request: PublisherRequest) => object[]) {
  let issued = 0
  let left = 0
  return (request: PublisherRequest): PublisherAnswer | undefined => {
    if (request.url.pathname === '/api/v1/Auth') {
      const { Login, Password } = JSON.parse(request.body)
      const isKnown = Login === CREDENTIALS.gmeLogin && Password === CREDENTIALS.gmePassword
      if (!isKnown) return json({ success: false, reason: `unknown login ${Login} with ${Password}` }, true)
      issued += 1
      left = tokenLife()
      return json({ success: true, token: `example-token-${issued}` }, true)
    }
    if (request.url.pathname !== '/api/v1/RequestData') return undefined
    if (request.headers.authorization !== `Bearer example-token-${issued}` || left <= 0) {
      return { status: 401, type: 'text/plain', body: 'token expired', isLoginOrToken: true }
    }
    left -= 1
    const { Segment, DataName, IntervalStart, IntervalEnd, Attributes } = JSON.parse(request.body)
    const rows = rowsOf(
      {
        segment: Segment,
        dataName: DataName,
        from: dayOf(IntervalStart),
        to: dayOf(IntervalEnd),
        granularity: Attributes.GranularityType,
      },
      request,
    )
    const zip = zipArchive([{ name: `${DataName}.json`, content: JSON.stringify(rows) }])
    return json({ contentResponse: zip.toString('base64'), formatType: 'json', resultRequest: null })
  }
}

/** Parses a day such as `20260114`. */
export function dayOf(compact: string): Temporal.PlainDate {
  return Temporal.PlainDate.from(`${compact.slice(0, 4)}-${compact.slice(4, 6)}-${compact.slice(6)}`)
}

export function compact(day: Temporal.PlainDate): string {
  return day.toString().replaceAll('-', '')
}

export function* eachDay(from: Temporal.PlainDate, to: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  for (let day = from; Temporal.PlainDate.compare(day, to) <= 0; day = day.add({ days: 1 })) yield day
}

function json(body: object, isLoginOrToken = false): PublisherAnswer {
  return { type: 'application/json', body: JSON.stringify(body), isLoginOrToken }
}
