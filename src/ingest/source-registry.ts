/** The enabled publishers, each with one HTTP client per process. Polling, catch-up and backfill share its limits, as do publishers of one account. */
import type { EnvHttpProxyAgent } from 'undici'
import { marketDayOf } from '../market/market-day.ts'
import type { Clock } from '../platform/clock.ts'
import { type HttpClient, type HttpTimes, makeHttpClient } from '../platform/fetch/http-client.ts'
import { RequestPace, RequestThrottle } from '../platform/fetch/request-throttle.ts'
import type { Sleep } from '../platform/fetch/sleep.ts'
import { type DisabledSource, type Fetcher, makeFetcher } from '../publishers/fetcher.ts'
import { PUBLISHERS } from '../publishers/index.ts'
import type { Config } from '../service/config/config.ts'
import type { Sql } from '../store/database.ts'
import { findValidators } from '../store/document-validators.ts'
import { consumeSourceBudget } from '../store/source-fetching.ts'

const CONNECT_MS = 10_000
const SERVICE_NAME = 'italian-energy-prices/1.0.0'

export interface SourceRegistry extends AsyncDisposable {
  enabled: readonly Fetcher[]
  off: readonly DisabledSource[]
  /** Undefined if the publisher is disabled. */
  find(id: string): Fetcher | undefined
  http(id: string): HttpClient
}

export interface SourceRegistryOptions {
  config: Pick<Config, 'sources' | 'proxies' | 'http'>
  clock: Clock
  /** Stores daily budgets and document validators; without it, neither applies. */
  sql?: Sql
  times?: Partial<HttpTimes>
  sleep?: Sleep
}

export function sourceRegistry({ config, clock, sql, times, sleep }: SourceRegistryOptions): SourceRegistry {
  const configured = PUBLISHERS.flatMap((publisher) => makeFetcher(publisher, config.sources) ?? [])
  const enabled = configured.filter((one) => 'fetch' in one)
  const off = configured.filter((one) => 'off' in one)
  let dispatcher: Promise<EnvHttpProxyAgent> | undefined
  const userAgent = [SERVICE_NAME, config.http.baseUrl && `(+${config.http.baseUrl.origin})`].filter(Boolean).join(' ')
  const paces = new Map<string, RequestPace>()
  const clients = new Map(
    enabled.map(({ source, politeness }) => {
      const pace = paces.getOrInsertComputed(politeness.account ?? source, () => new RequestPace())
      const takeFromBudget = async () =>
        sql === undefined || consumeSourceBudget(sql, source, marketDayOf(clock.now()), politeness.requestsPerDay)
      const client = makeHttpClient({
        dispatcher: () => (dispatcher ??= openDispatcher(config.proxies)),
        userAgent,
        clock,
        throttle: new RequestThrottle({ concurrency: 1, ...politeness, pace, takeFromBudget, ...(sleep && { sleep }) }),
        ...(sql && { validatorsOf: (address: string) => findValidators(sql, source, address) }),
        ...(times && { times }),
        ...(sleep && { sleep }),
      })
      return [source, client] as const
    }),
  )

  return {
    enabled,
    off,
    find: (id) => enabled.find(({ source }) => source === id),
    http(id) {
      const client = clients.get(id)
      if (client === undefined) throw new Error(`the source ${id} is off`)
      return client
    },
    [Symbol.asyncDispose]: async () => (await dispatcher)?.destroy(),
  }
}

/** Loads undici on the first request: many installations make none. */
async function openDispatcher(proxies: Config['proxies']): Promise<EnvHttpProxyAgent> {
  const { EnvHttpProxyAgent } = await import('undici')
  return new EnvHttpProxyAgent({
    connect: { timeout: CONNECT_MS },
    // An empty string keeps undici from reading the environment, which only the configuration may do.
    httpProxy: proxies.http?.reveal() ?? '',
    httpsProxy: proxies.https?.reveal() ?? '',
    noProxy: proxies.except,
  })
}
