/**
 * Creates every dependency of the service once, in the order of their dependencies, and stops them in reverse. Tests pass their own
 * clock, folder, queue and logger.
 */

import path from 'node:path'
import { openAccessControl } from '../api/access/open-access-control.ts'
import { OVERRUNS_MAX, overrunsOf } from '../api/access/rate-limiter.ts'
import type { Service } from '../api/http/service.ts'
import {
  type BulkExportService,
  type BulkExportServiceOptions,
  openBulkExportService,
} from '../delivery/bulk/bulk-export-service.ts'
import type { FileStore } from '../delivery/bulk/file-store.ts'
import { openFileStore } from '../delivery/bulk/open-file-store.ts'
import { type AlertLinks, alertLinks } from '../delivery/webhooks/alert-links.ts'
import { findSecretsKey, openSecretBox } from '../delivery/webhooks/open-secret-box.ts'
import type { SecretBox } from '../delivery/webhooks/secret-box.ts'
import { type SourceRegistry, type SourceRegistryOptions, sourceRegistry } from '../ingest/source-registry.ts'
import { MARKET_TIME_ZONE } from '../market/market-day.ts'
import { type Clock, makeClock } from '../platform/clock.ts'
import { sqlOverrun } from '../platform/events.ts'
import { listeningUrl } from '../platform/listen.ts'
import type { Logger } from '../platform/log.ts'
import { lazyQueue } from '../platform/queue/lazy-queue.ts'
import type { Queue, QueueOptions } from '../platform/queue/queue.ts'
import { Secret } from '../platform/secret.ts'
import { analystProcesses } from '../store/analyst-processes.ts'
import { type AnalystSql, analystSql } from '../store/analyst-sql.ts'
import { type DataVersion, dataVersion } from '../store/data-version.ts'
import { connectDatabase, type Database } from '../store/database.ts'
import { forecastStore, hourlyForecastStore } from '../store/forecasts.ts'
import { fundamentalStore } from '../store/fundamentals.ts'
import { ensureIdentity } from '../store/identity.ts'
import { marketStore } from '../store/markets.ts'
import { assertMigrated, migrate } from '../store/migrate.ts'
import { offerIndexStore } from '../store/offer-indices.ts'
import { priceStore } from '../store/prices.ts'
import { type SampleData, sampleData } from '../store/sample-data.ts'
import { sourceStatusStore } from '../store/source-status.ts'
import { tradingStore } from '../store/trading.ts'
import { zonePriceStore } from '../store/zone-prices.ts'
import type { Config } from './config/config.ts'
import { type DatabaseLocation, engineFolder, openDatabase } from './open-database.ts'

const DATA_VERSION_POLL_MS = 1_000

/** The part of the API's service made here; `make-service.ts` makes the rest. */
type SharedServiceKeys =
  | 'clock'
  | 'prices'
  | 'zones'
  | 'offerIndices'
  | 'forecasts'
  | 'fundamentals'
  | 'markets'
  | 'hourlyForecasts'
  | 'sourceStatus'
  | 'trading'
  | 'access'

export interface Context extends AsyncDisposable, Pick<Service, SharedServiceKeys> {
  config: Config
  log: Logger
  database: Database
  analystSql: AnalystSql | undefined
  dataVersion: DataVersion
  queue: Queue
  /** The publishers to fetch from. */
  sources: SourceRegistry
  sampleData: SampleData
  /** Encrypts signing secrets; undefined without a key. */
  secrets: SecretBox | undefined
  /** Undefined if `secrets` is. */
  alertLinks: AlertLinks | undefined
  /** Store of the files of the bulk exports. */
  files: FileStore
  /** Opens the bulk export service; undefined without a key to sign file URLs with. */
  bulk(wake: BulkExportServiceOptions['wake']): BulkExportService | undefined
  /** For child processes that read the database; it may contain a password. */
  databaseUrl: Secret
  /** Aborted when the process begins to stop: errors after that do not count as failures. */
  stopping: AbortSignal
  /** Rejects if the embedded engine dies unexpectedly; the process cannot continue then. */
  failure: Promise<never>
  stop(): Promise<void>
}

export interface ContextOptions {
  config: Config
  log: Logger
  clock?: Clock
  open?: (config: Config) => Promise<DatabaseLocation>
  openQueue?: (options: QueueOptions) => Promise<Queue>
  /** Aborts the creation, with its reason, before the database is used, and closes what is open. For later stops see `Context.stopping`. */
  stopping?: AbortSignal | undefined
  /** Pauses and time-outs of requests to publishers. */
  fetching?: Pick<SourceRegistryOptions, 'sleep' | 'times'>
}

const NEVER_ABORTED = new AbortController().signal

export async function makeContext(options: ContextOptions): Promise<Context> {
  const { config, log, open = openDatabase, openQueue = startQueueLazily, stopping = NEVER_ABORTED, ...given } = options
  await using stack = new AsyncDisposableStack()
  const ended = new AbortController()
  const clock = given.clock ?? makeClock(config.clockStart)

  const location = await open(config)
  if (location.engine !== undefined) stack.use(location.engine)
  stopping.throwIfAborted()
  const database = stack.use(connectDatabase(location))
  if (config.database.migrations === 'check') {
    await assertMigrated(database)
    await ensureIdentity(database.sql)
  } else {
    const { applied } = await migrate(database)
    if (applied.length > 0) log.info({ migrations: applied }, 'database migrated')
  }

  const version = dataVersion(database.sql)
  await version.refresh()
  version.follow({
    everyMs: DATA_VERSION_POLL_MS,
    signal: ended.signal,
    onError: (err) => log.warn({ err }, 'the data version could not be read'),
  })
  database.replicas?.follow(version, {
    signal: ended.signal,
    onError: (err) => log.warn({ err }, 'a replica does not answer'),
  })
  const queue = stack.use(
    await openQueue({
      connectionString: location.url,
      timeZone: MARKET_TIME_ZONE,
      hasHeartbeats: config.database.url !== undefined,
      stopping,
      log,
    }),
  )
  const access = stack.use(await openAccessControl({ config, database, clock, dataVersion: version, log }))
  const sources = stack.use(sourceRegistry({ config, clock, sql: database.sql, ...given.fetching }))
  const files = stack.use(await openFileStore(config.bulk))
  const key = await findSecretsKey(config)
  const analysts = openAnalystSql(config, location, { access, dataVersion: version, clock, log, stack })
  stack.defer(() => ended.abort())

  const resources = stack.move()
  const stop = () => resources.disposeAsync()
  return {
    config,
    clock,
    log,
    database,
    prices: priceStore(database.read),
    zones: zonePriceStore(database.read),
    offerIndices: offerIndexStore(database.read),
    forecasts: forecastStore(database.read),
    fundamentals: fundamentalStore(database.read),
    markets: marketStore(database.read),
    hourlyForecasts: hourlyForecastStore(database.read),
    sourceStatus: sourceStatusStore(database.read),
    analystSql: analysts,
    trading: tradingStore(database.read),
    dataVersion: version,
    queue,
    sources,
    sampleData: sampleData(config.sampleData, database),
    access,
    secrets: await openSecretBox(config),
    alertLinks:
      key &&
      alertLinks(config.http.baseUrl ?? listeningUrl(config.http.host, config.http.port), key, config.secrets.previous),
    files,
    bulk: (wake) => openBulkExportService(config, { sql: database.read, store: files, key, wake }),
    databaseUrl: new Secret(location.url),
    stopping,
    failure: failureOf(location),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Runs analysts' statements on their server or, if this process runs the embedded database, in separate processes. */
function openAnalystSql(
  { database: { analystUrl, dataDir } }: Config,
  { engine, url }: DatabaseLocation,
  {
    access,
    log,
    stack,
    ...given
  }: Pick<Context, 'access' | 'dataVersion' | 'clock' | 'log'> & { stack: AsyncDisposableStack },
): AnalystSql | undefined {
  const onProblem = (err: unknown) =>
    log.warn({ err }, 'a query past its time may still run: apply the roles (npm run db:roles)')
  const onOverrun = (client: string) => {
    sqlOverrun(log, { client })
    void access.hourly.consume(overrunsOf(client), OVERRUNS_MAX)
  }
  if (analystUrl !== undefined) return analystSql(analystUrl.reveal(), { onProblem, onOverrun })
  if (engine === undefined) return undefined
  const folder = path.join(dataDir, 'analysts')
  return analystSql(
    stack.use(
      analystProcesses({
        ...given,
        url,
        engineFolder: engineFolder(dataDir),
        folder,
        onProblem: (err, what) => log.warn({ err }, what),
      }),
    ),
    {
      onProblem,
    },
  )
}

async function startQueueLazily(options: QueueOptions): Promise<Queue> {
  return lazyQueue(async () => {
    const { startQueue } = await import('../platform/queue/queue.ts')
    return startQueue(options)
  })
}

function failureOf({ engine }: DatabaseLocation): Promise<never> {
  if (engine === undefined) return new Promise(() => {})
  return engine.crashed.then((cause) => {
    throw new Error('the embedded database stopped unexpectedly', { cause })
  })
}
