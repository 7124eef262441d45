/**
 * Warm answers of Open endpoints with all that the service adds: request id, access log, limits, strict parameters, security headers,
 * entity tag.
 */
import { devNull } from 'node:os'
import { createLogger, logDestination } from '../../src/platform/log.ts'
import { startStubService } from '../support/stub-service.ts'
import { againstBareRoute } from './against-bare-route.ts'
import type { BenchRow } from './bench.ts'

const PATHS = ['/v1/today', '/v1/pun/today']

const PRICES = (['PUN', 'PSV', 'TTF', 'Brent', 'CO2'] as const).map((asset, i) => ({
  asset,
  day: '2026-11-21',
  price: 118.43 + i,
}))

export default async function warmAnswers(): Promise<BenchRow[]> {
  // Lines are formatted and written as in production, to nowhere.
  const log = createLogger({ level: 'info', destination: logDestination(devNull) })
  const service = await startStubService({ prices: PRICES, log, config: { environment: 'production' } })
  try {
    const rows: BenchRow[] = []
    for (const path of PATHS) {
      rows.push(...(await againstBareRoute({ name: `${path} warm`, url: service.baseUrl + path, rateAtLeast: 0.8 })))
    }
    return rows
  } finally {
    await service.stop()
  }
}
