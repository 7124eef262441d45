/** What the HTTP layer needs of the rest of the service. `src/context.ts` provides it; `src/app.ts` depends on nothing else. */
import type { AssetCode } from '../contract/assets.ts'
import type { MarketDay } from '../domain/market-day.ts'
import type { Logger } from '../log.ts'

export interface Service {
  config: HttpConfig
  clock: Clock
  prices: PriceStore
  health: Health
  dataVersion: DataVersion
  log: Logger
}

export interface HttpConfig {
  /** The canonical origin, `https://energy.example/`. */
  baseUrl: URL
  /** Addresses and networks whose `X-Forwarded-*` headers are believed, as Express's `trust proxy` takes them. */
  trustedProxies: string[]
  /** Redirect requests for other host names to `baseUrl`. */
  canonicalHost: boolean
  environment: 'production' | 'development' | 'test'
  /** Paths that the operator has marked `coming`, as the registry spells them: `/ttf/today`. */
  comingEndpoints: ReadonlySet<string>
}

export interface Clock {
  now(): Temporal.Instant
}

export interface DataVersion {
  /** Changes whenever an ingest changed what answers depend on. */
  current(): number
}

export interface Health {
  /** Not ready while starting, while stopping, and while something needed is out of reach. */
  ready(): Promise<{ ready: boolean; checks: Record<string, string> }>
}

export interface DailyObservation {
  asset: AssetCode
  /** `YYYY-MM-DD` */
  day: string
  /** In the asset's native unit. */
  price: number
  sourceIds: string[]
  observedAt: Temporal.Instant
}

export interface DailyPrices {
  /** Chronological, complete days only, native unit. */
  points: { date: string; price: number }[]
  /** Undefined where there is no point. */
  stats: { min: number; max: number; avg: number } | undefined
  sourceIds: string[]
}

export interface PriceStore {
  /** Latest complete observation with `notBefore` ≤ day ≤ `notAfter`. */
  latest(asset: AssetCode, range: { notBefore: MarketDay; notAfter: MarketDay }): Promise<DailyObservation | undefined>
  /** Daily prices from the first to the last day, inclusive. */
  series(asset: AssetCode, range: { from: MarketDay; to: MarketDay }): Promise<DailyPrices>
}
