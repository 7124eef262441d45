/** The HTTP layer's interface to the rest of the service. `src/service/context.ts` provides it; `src/service/app.ts` depends on nothing else. */

import type { BulkExportService } from '../../delivery/bulk/bulk-export-service.ts'
import type { ExportOrderService } from '../../delivery/bulk/export-order-service.ts'
import type { ChangeFeed } from '../../delivery/changes/change-feed.ts'
import type { AlertLinkService } from '../../delivery/webhooks/alert-links.ts'
import type { WebhookService } from '../../delivery/webhooks/webhook-service.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/log.ts'
import type { AlertDay, AlertRule } from '../../store/alerts.ts'
import type { AnalystSql } from '../../store/analyst-sql.ts'
import type { ForecastStore, HourlyForecastStore } from '../../store/forecasts.ts'
import type { FundamentalStore } from '../../store/fundamentals.ts'
import type { MarketStore } from '../../store/markets.ts'
import type { OfferIndexStore } from '../../store/offer-indices.ts'
import type { PriceStore } from '../../store/prices.ts'
import type { ProvenanceStore } from '../../store/provenance.ts'
import type { SampleData } from '../../store/sample-data.ts'
import type { SourceStatusStore } from '../../store/source-status.ts'
import type { TradingStore } from '../../store/trading.ts'
import type { UsageMonth } from '../../store/usage.ts'
import type { WebhookKind } from '../../store/webhooks.ts'
import type { ZonePriceStore } from '../../store/zone-prices.ts'
import type { AccessControl } from '../access/access-control.ts'
import type { DeveloperKeyService } from '../keys/developer-key-service.ts'
import type { KeyRotation } from '../keys/key-rotation.ts'

export interface Service {
  config: HttpConfig
  clock: Clock
  prices: PriceStore
  zones: ZonePriceStore
  fundamentals: FundamentalStore
  markets: MarketStore
  offerIndices: OfferIndexStore
  forecasts: ForecastStore
  hourlyForecasts: HourlyForecastStore
  sourceStatus: SourceStatusStore
  provenance: ProvenanceStore
  sampleData: Pick<SampleData, 'enabled' | 'end'>
  /** Runs analysts' statements; undefined if no server for them is configured. */
  analystSql?: AnalystSql | undefined
  trading: TradingStore
  changes: ChangeFeed
  /** Undefined if the service has no key to encrypt signing secrets with. */
  webhooks: { [K in WebhookKind]: WebhookService<K> } | undefined
  /** Links in mail about alerts; undefined if there is no such mail. */
  alertLinks: AlertLinkService | undefined
  /** Undefined if the service has no key to sign download URLs with. */
  bulk?: BulkExportService | undefined
  /** As `bulk`. */
  exportOrders?: ExportOrderService | undefined
  /** Undefined if no mail can be sent, so that no address can be confirmed. */
  developerKeys: DeveloperKeyService | undefined
  keys: KeyRotation
  access: AccessControl
  health: Health
  /** Requests of a key by calendar month, the latest first. */
  usageMonths(keyId: string): Promise<UsageMonth[]>
  /** The last `most` days on which an alert would have fired, the latest first. */
  alertDays(alert: AlertRule, span: { from: string; to: string; most: number }): Promise<AlertDay[]>
  dataVersion: DataVersion
  log: Logger
}

export interface HttpConfig {
  /** The canonical origin, `https://energy.example/`. */
  baseUrl: URL
  /** Addresses and networks whose `X-Forwarded-*` headers are trusted, in the syntax of Express's `trust proxy`. */
  trustedProxies: string[]
  /** Redirect requests for other host names to `baseUrl`. */
  canonicalHost: boolean
  environment: 'production' | 'development' | 'test'
  /** Paths that the operator has marked `coming`, as the registry spells them: `/ttf/today`. */
  comingEndpoints: ReadonlySet<string>
  /** How many responses may be computed at the same time; cached ones do not count. */
  computingAtOnce: number
  alertsPerKeyMax: number
}

export interface DataVersion {
  /** Changes whenever an ingest changes data that responses depend on. */
  current(): number
}

export interface Health {
  /** Not ready while starting, while stopping, and while something needed is unreachable. */
  ready(): Promise<{ ready: boolean; checks: Record<string, string> }>
  /** Whether the first data are being stored; the newest price is then not the current one. */
  filling(): boolean
}
