/**
 * Warm answers with all that the service adds: request id, access log, identity, limits, quota, strict parameters, security headers,
 * entity tag; on a real database, with the server as the service runs it.
 */
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { storePrices } from '../support/prices.ts'
import { SITE_NOW, seedSite } from '../support/site.ts'
import { againstBareRoute } from './against-bare-route.ts'
import type { BenchRow } from './bench.ts'
import { scratchDatabase } from './scratch-database.ts'
import { serve } from './serve.ts'

const SERIES = '/v1/prices/pun/series'

export default async function warmAnswers(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { sql } = scratch.database
  await seedSite({ sql, seed: (items, options) => storePrices(sql, items, options) })
  await refreshAggregates(sql)
  await using service = await serve(scratch, SITE_NOW)
  const { headers } = service
  const url = (path: string) => service.baseUrl.origin + path
  const open = { ofExpress: 1.5, ofNode: 0.75 }
  const keyed = { ofExpress: 1.2, ofNode: 0.6, headers }
  const rows: BenchRow[] = []
  for (const measured of [
    { name: '/v1/today', url: url('/v1/today'), ...open },
    { name: '/v1/pun/today', url: url('/v1/pun/today'), ...open },
    { name: 'series with a key', url: url(SERIES), ...keyed },
    { name: '304 of /v1/today', url: url('/v1/today'), ...open, isUnchanged: true },
    { name: '304 of a series with a key', url: url(SERIES), ...keyed, isUnchanged: true },
    { name: 'home page', url: url('/en/'), ofExpress: 1.2, ofNode: 0.6 },
  ])
    rows.push(...(await againstBareRoute(measured)))
  return rows
}
