/** ENTSO-E's API, one request per area and document type. If nothing is published, it returns an acknowledgement with HTTP 400 or 200. */

import { startOfMarketDay } from '../../market/market-day.ts'
import { NotYetPublished, SourceUnreachable } from '../../platform/fetch/outcomes.ts'
import type { Secret } from '../../platform/secret.ts'
import { getDocument, joinUrl } from '../fetch-days.ts'
import type { FetchMethod } from '../publisher.ts'
import type { CommonSettings } from '../settings.ts'
import { DAY_AHEAD_CONTRACT, NO_DATA, PRICE_DOCUMENT_TYPE, ZONE_BY_EIC } from './codes.ts'

const API_URL = 'https://web-api.tp.entsoe.eu'
const TOO_MANY_REQUESTS = 429
const BAN_SECONDS = 600

export type EntsoeSettings = CommonSettings & { ENTSOE_TOKEN: Secret }

/** A request for a span of days; `name` is the prefix of the document's name. */
export interface EntsoeQuery {
  name: string
  parameters: Record<string, string>
}

export function connectEntsoe(settings: EntsoeSettings): FetchMethod {
  return connectQueries(
    settings,
    [...ZONE_BY_EIC].map(([eic, zone]) => priceQuery(eic, zone)),
  )
}

export function priceQuery(eic: string, area: string): EntsoeQuery {
  const parameters = { in_Domain: eic, out_Domain: eic, 'contract_MarketAgreement.type': DAY_AHEAD_CONTRACT }
  return { name: `A44_${area}`, parameters: { documentType: PRICE_DOCUMENT_TYPE, ...parameters } }
}

export function connectQueries(
  { ADDRESS: base = new URL(API_URL), ENTSOE_TOKEN: token }: EntsoeSettings,
  queries: readonly EntsoeQuery[],
): FetchMethod {
  return {
    way: 'API',
    maxDaysPerRequest: 31,
    async *fetch(days, io) {
      for (const { name, parameters } of queries) {
        const url = joinUrl(base, '/api', {
          ...parameters,
          periodStart: utcMinute(startOfMarketDay(days.from)),
          periodEnd: utcMinute(startOfMarketDay(days.to.add({ days: 1 }))),
        })
        const about = { name: `${name}_${days.from}.xml`, days }
        const request = { secretQuery: { securityToken: token }, conditional: false, meaningOf }
        const document = await getDocument(url, about, io, request).catch(ignoreNotYetPublished)
        if (document) yield document
      }
    },
  }
}

function meaningOf(status: number, text: string, retryAfterSeconds = BAN_SECONDS): Error | undefined {
  if (NO_DATA.test(text)) return new NotYetPublished('ENTSO-E has not published it yet')
  if (status !== TOO_MANY_REQUESTS) return undefined
  // Clients that continue to send requests are blocked for ten minutes.
  return new SourceUnreachable('answers 429: too many requests', { retryable: true, retryAfterSeconds })
}

/** A late area must not prevent reading the others. */
function ignoreNotYetPublished(err: unknown): undefined {
  if (!(err instanceof NotYetPublished)) throw err
  return undefined
}

/** `202601132300` */
function utcMinute(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'minute' }).replace(/[-T:Z]/g, '')
}
