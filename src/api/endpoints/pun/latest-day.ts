/** The default day of a request. Decisions: "Zonal and hourly prices". */

import type { MarketDay } from '../../../market/market-day.ts'
import type { ZoneCode } from '../../../market/zones.ts'
import { secondsToPublicationOf } from '../../../publishers/publications.ts'
import { noData, notFound } from '../../contract/errors.ts'
import type { HandlerContext } from '../../http/endpoint.ts'
import { nextStep } from '../next-step.ts'

/**
 * Returns the latest published day of the zone, tomorrow from midday on; with `asOf`, the latest known at that instant. Throws
 * `no_data` before the first publication, `not_found` if nothing was known at `asOf`.
 */
export async function latestDay(
  zone: ZoneCode,
  asOf: Temporal.Instant | undefined,
  context: HandlerContext,
): Promise<MarketDay> {
  const { service, today, now } = context
  const latest = await service.zones.latestDay(zone, today.add({ days: 1 }), asOf)
  if (latest !== undefined) return Temporal.PlainDate.from(latest)
  if (asOf !== undefined) throw notFound(`No day-ahead result was known at ${asOf}.`)
  throw noData('The day-ahead result', secondsToPublicationOf(today, now), await nextStep(context, 'PUN'))
}
