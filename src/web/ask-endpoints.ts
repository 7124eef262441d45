/** Pages get their figures from the endpoints of the API, in process. */

import { ApiError } from '../api/contract/errors.ts'
import { PAGES } from '../api/contract/plans.ts'
import type { Caller } from '../api/http/caller.ts'
import type { EndpointRequest } from '../api/http/endpoint.ts'
import type { Service } from '../api/http/service.ts'
import { validate } from '../api/http/validate.ts'
import type { AskEndpoint } from './page.ts'

/** Each page limits how far back it goes (`PAGES`); programs need a key. */
const PAGE_CALLER: Caller = {
  plan: 'Developer',
  historyDepthDays: 'complete',
  client: 'pages',
  requestsPerMinute: PAGES.requestsPerMinute,
  requestsPerMonth: undefined,
  key: undefined,
  isCounted: false,
}

export function askEndpoints(
  service: Service,
  { now, today }: Pick<EndpointRequest<unknown, unknown, unknown>, 'now' | 'today'>,
  caller = PAGE_CALLER,
): AskEndpoint {
  return <Reply>(...[endpoint, { path = {}, query = {} } = {}]: Parameters<AskEndpoint>): Promise<Reply> =>
    endpoint.handle({
      path: validate(endpoint.pathSchema, path, 'path'),
      query: validate(endpoint.query, query, 'query'),
      body: undefined,
      caller,
      service,
      registry: [],
      now,
      today,
      left: new AbortController().signal,
    }) as Promise<Reply>
}

/** Returns the response, or undefined if there are no data, which the page then reports in its own words. Rethrows other errors. */
export async function undefinedIfNotFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (err) {
    if (err instanceof ApiError && (err.code === 'no_data' || err.code === 'not_found')) return undefined
    throw err
  }
}
