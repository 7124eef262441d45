/**
 * `/events/days`: reports newly published days of the PUN to the home page, and tomorrow on connection if it is already published.
 * No key is needed, other sites cannot read it, and the concurrent streams of an IP address are limited. Programs use `/v1/stream`.
 */
import { Router } from 'express'
import { PAGES } from '../../api/contract/plans.ts'
import type { EventFeed } from '../../api/http/endpoint.ts'
import { EventStreams } from '../../api/http/event-streams.ts'
import type { HeaderList } from '../../api/http/headers.ts'
import { streamHeaders } from '../../api/http/present-answer.ts'
import type { RateLimit } from '../../api/http/rate-limit.ts'
import type { Service } from '../../api/http/service.ts'
import { marketDayOf } from '../../market/market-day.ts'

export const DAYS_PATH = '/events/days'

export function dayRoutes(
  { changes, access, log, prices, clock }: Pick<Service, 'changes' | 'access' | 'log' | 'prices' | 'clock'>,
  security: HeaderList,
  rateLimit: RateLimit,
): Router {
  const streams = new EventStreams({
    keys: access.keys,
    onError: (err) => log.warn({ err }, 'a stream of days could not be served'),
  })
  const feed: EventFeed = async (sink) => {
    const emitDay = (day: string | null) => sink.write(`event: day.published\ndata: {"day":"${day}"}\n\n`)
    const unsubscribe = await changes.listen({
      onChanges: (happened) => {
        for (const { kind, dataset, day } of happened) if (kind === 'day.published' && dataset === 'pun') emitDay(day)
      },
      onEnd: () => sink.end('shutdown'),
    })
    // Tomorrow may have been published since the page was rendered: the page may come from a cache.
    const tomorrow = marketDayOf(clock.now()).add({ days: 1 })
    const published = await prices
      .latest('PUN', { notBefore: tomorrow, notAfter: tomorrow })
      .catch((err) => log.warn({ err }, 'whether tomorrow is published could not be read'))
    if (published) emitDay(tomorrow.toString())
    return unsubscribe
  }
  const router = Router({ caseSensitive: true })
  router.get(DAYS_PATH, (req, res) => {
    const client = rateLimit.pageClient(req)
    return streams.send({ client, max: PAGES.streamsMax, headers: streamHeaders(security) }, feed, req, res)
  })
  return router
}
