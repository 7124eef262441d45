/** Zone prices from ENTSO-E's API, one request per zone. Where nothing is published it says so in a document, with HTTP 400 or 200. */

import { startOfMarketDay } from '../../market/market-day.ts'
import type { ZoneCode } from '../../market/zones.ts'
import { NotYetPublished, SourceUnreachable } from '../../platform/fetch/outcomes.ts'
import type { Secret } from '../../platform/secret.ts'
import { addressBelow, getDocument } from '../fetch-days.ts'
import type { Way } from '../publisher.ts'
import type { CommonSettings } from '../settings.ts'
import { DAY_AHEAD_CONTRACT, NO_DATA, PRICE_DOCUMENT_TYPE, ZONE_BY_EIC } from './codes.ts'

const API_URL = 'https://web-api.tp.entsoe.eu'
const TOO_MANY_REQUESTS = 429
const BAN_SECONDS = 600

export function connectEntsoe({
  ADDRESS: base = new URL(API_URL),
  ENTSOE_TOKEN: token,
}: CommonSettings & { ENTSOE_TOKEN: Secret }): Way {
  return {
    way: 'API',
    maxDaysPerRequest: 31,
    async *fetch(days, io) {
      for (const [eic, zone] of ZONE_BY_EIC) {
        const url = addressBelow(base, '/api', {
          documentType: PRICE_DOCUMENT_TYPE,
          in_Domain: eic,
          out_Domain: eic,
          periodStart: utcMinute(startOfMarketDay(days.from)),
          periodEnd: utcMinute(startOfMarketDay(days.to.add({ days: 1 }))),
          'contract_MarketAgreement.type': DAY_AHEAD_CONTRACT,
        })
        const name = nameOf(zone, days.from.toString())
        const request = { secretQuery: { securityToken: token }, conditional: false, meaningOf }
        const prices = await getDocument(url, { name, days }, io, request).catch(unlessNotYet)
        if (prices) yield prices
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

/** One zone that is late must not keep the others from being read. */
function unlessNotYet(err: unknown): undefined {
  if (!(err instanceof NotYetPublished)) throw err
  return undefined
}

function nameOf(zone: ZoneCode, day: string): string {
  return `A44_${zone}_${day}.xml`
}

/** `202601132300` */
function utcMinute(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'minute' }).replace(/[-T:Z]/g, '')
}
