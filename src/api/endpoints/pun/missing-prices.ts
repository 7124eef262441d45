/** Why there are no prices of a zone for a day or an interval of days. Decisions: "Zonal and hourly prices". */

import type { Granularity, MarketDay } from '../../../market/market-day.ts'
import { NATIONAL_ZONE, type ZoneCode } from '../../../market/zones.ts'
import { secondsToPublicationOf } from '../../../publishers/publications.ts'
import { noData, noDataBecause, notFound } from '../../contract/errors.ts'
import type { HandlerContext } from '../../http/endpoint.ts'
import { nextStep } from '../next-step.ts'

const FIRST_DAY_IN_QUARTERS = '2025-10-01'

interface PriceSpan {
  zone: ZoneCode
  granularity: Granularity
  from: MarketDay
  to: MarketDay
  asOf?: Temporal.Instant | undefined
}

/** The error with the reason: before the zone existed, hours only, daily mean only, unknown at `asOf`, not yet published, or not in the history. */
export async function missingPrices(
  { zone, granularity, from, to, asOf }: PriceSpan,
  context: HandlerContext,
): Promise<Error> {
  const { service, today, now } = context
  const which = from.equals(to) ? from.toString() : `${from} to ${to}`
  const { name, validFrom } = await service.zones.zone(zone)
  if (to.toString() < validFrom)
    return notFound(`${name} (${zone}) has been a zone since ${validFrom}; there are no prices of it for ${which}.`)
  const has = async (...[step, instant]: [Granularity, Temporal.Instant?]) =>
    (await service.zones.intervals(zone, step, { from, to }, instant)).days.length > 0
  if (granularity === 'quarter' && (await has('hour', asOf))) {
    const why =
      to.toString() < FIRST_DAY_IN_QUARTERS
        ? `: the market has cleared in quarter-hours since ${FIRST_DAY_IN_QUARTERS}`
        : ''
    return notFound(`${which} has hours only${why}.`)
  }
  if (asOf !== undefined && (await has(granularity)))
    return notFound(`The prices of ${zone} for ${which} were not known at ${asOf}.`)
  const isUpcoming = Temporal.PlainDate.compare(to, today) >= 0
  if (zone === NATIONAL_ZONE && (await service.prices.series('PUN', { from, to }, asOf)).points.length > 0) {
    const sentence = `Of the PUN of ${which} only the daily mean is known, not its hours.`
    return isUpcoming ? noDataBecause(sentence, secondsToPublicationOf(from, now)) : notFound(sentence)
  }
  if (isUpcoming)
    return noData(`The day-ahead result of ${which}`, secondsToPublicationOf(from, now), await nextStep(context, 'PUN'))
  return notFound(`There are no prices of ${zone} for ${which}.`)
}
