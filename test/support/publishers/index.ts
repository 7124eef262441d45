/**
 * Every publisher as a local HTTP server that responds in the real format for any day:
 *
 *     await using publishers = await startPublishers({ clock, truth: plainTruth() })
 *     const config = readConfig(publishers.env)
 *     publishers.setFault('entsoe', 'hanging')
 */
import type { Clock } from '../../../src/platform/clock.ts'
import { areraOffers } from './arera-offers.ts'
import { CREDENTIALS } from './credentials.ts'
import { eexEua } from './eex-eua.ts'
import { eexTtf } from './eex-ttf.ts'
import { eiaBrent } from './eia-brent.ts'
import { entsoe } from './entsoe.ts'
import { entsoeFundamentals, openMeteo } from './fundamentals.ts'
import { gmeMgas } from './gme-mgas.ts'
import { gmeMgp } from './gme-mgp.ts'
import { entsoeImbalance, gmeIntraday, terna } from './markets.ts'
import { type Fault, type PublisherServer, startPublisherServer } from './publisher-server.ts'
import type { Truth } from './truth.ts'

export { CREDENTIALS } from './credentials.ts'
export { FAULTS, type Fault } from './publisher-server.ts'
export { plainTruth, type Truth } from './truth.ts'

export interface PublishersOptions {
  clock: Clock
  truth: Truth
  /** Whether GME is read through its API (default) or through the public download and pages. */
  gme?: 'api' | 'public'
  /** The current fault of a source, in addition to `setFault`: for scheduled outages. */
  faultOf?: (source: string) => Fault | undefined
  /** Rows per page of EIA. */
  eiaPageRows?: number
  /** Number of requests after which a token of GME's API expires. */
  gmeTokenLife?: number
  retryAfterSeconds?: number
}

export interface Publishers extends AsyncDisposable {
  /** Variables for `readConfig` that enable every source at these URLs, with these credentials and without delays. */
  env: Record<string, string>
  server(source: string): PublisherServer
  setFault(source: string, fault: Fault | undefined): void
  stop(): Promise<void>
}

export async function startPublishers(options: PublishersOptions): Promise<Publishers> {
  const { clock, truth, gme = 'api', eiaPageRows = 5_000, gmeTokenLife = Number.POSITIVE_INFINITY } = options
  const makers = {
    'gme-mgp': () => gmeMgp(() => gmeTokenLife),
    'gme-mgas': () => gmeMgas(() => gmeTokenLife),
    entsoe,
    'eex-ttf': eexTtf,
    'eia-brent': () => eiaBrent(() => eiaPageRows),
    'eex-eua': eexEua,
    'arera-offers': areraOffers,
    'entsoe-load-forecast': () => entsoeFundamentals('entsoe-load-forecast'),
    'entsoe-renewables-forecast': () => entsoeFundamentals('entsoe-renewables-forecast'),
    'entsoe-actuals': () => entsoeFundamentals('entsoe-actuals'),
    'entsoe-neighbours': () => entsoeFundamentals('entsoe-neighbours'),
    'open-meteo': openMeteo,
    'gme-intraday': () => gmeIntraday(() => gmeTokenLife),
    'terna-imbalance': () => terna('terna-imbalance'),
    'terna-imbalance-preliminary': () => terna('terna-imbalance-preliminary'),
    'entsoe-imbalance': entsoeImbalance,
  }
  const faults = new Map<string, Fault>()
  const started = await Promise.all(
    Object.entries(makers).map(([source, make]) =>
      startPublisherServer({
        source,
        publisher: make(),
        truth,
        now: () => clock.now(),
        faultOf: (id) => faults.get(id) ?? options.faultOf?.(id),
        retryAfterSeconds: options.retryAfterSeconds ?? 120,
      }),
    ),
  )
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()))
  }
  return {
    env: environmentOf(started, gme),
    server(source) {
      const server = started.find((one) => one.source === source)
      if (server === undefined) throw new Error(`no server of ${source}`)
      return server
    },
    setFault(source, fault) {
      if (fault === undefined) faults.delete(source)
      else faults.set(source, fault)
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function environmentOf(servers: PublisherServer[], gme: 'api' | 'public'): Record<string, string> {
  const perSource = servers.flatMap(({ source, url }) => {
    const prefix = source.toUpperCase().replaceAll('-', '_')
    return [
      [`${prefix}_ADDRESS`, url],
      [`${prefix}_INTERVAL_MS`, '0'],
      [`${prefix}_REQUESTS_PER_DAY`, '100000'],
    ]
  })
  return {
    SOURCES: servers.map(({ source }) => source).join(','),
    ...Object.fromEntries(perSource),
    ...(gme === 'api' && { GME_API_LOGIN: CREDENTIALS.gmeLogin, GME_API_PASSWORD: CREDENTIALS.gmePassword }),
    ENTSOE_TOKEN: CREDENTIALS.entsoeToken,
    EIA_API_KEY: CREDENTIALS.eiaKey,
    TERNA_CLIENT_ID: CREDENTIALS.ternaId,
    TERNA_CLIENT_SECRET: CREDENTIALS.ternaSecret,
  }
}
