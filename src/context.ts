/**
 * Every dependency of the service, made once, in the order in which they need each other; stopping goes the other way. Tests make
 * one with their own clock, folder and logger.
 */
import { type Clock, makeClock } from './clock.ts'
import type { Config } from './config/config.ts'
import type { AccessControl } from './limits/access-control.ts'
import { openAccessControl } from './limits/open-access-control.ts'
import type { Logger } from './log.ts'
import { type DatabaseLocation, openDatabase } from './open-database.ts'
import { type Queue, startQueue } from './queue/queue.ts'
import { type DataVersion, dataVersion } from './store/data-version.ts'
import { connectDatabase, type Database } from './store/database.ts'
import { type ForecastStore, forecastStore } from './store/forecasts.ts'
import { migrate } from './store/migrate.ts'
import { type PriceStore, priceStore } from './store/prices.ts'
import { type SampleData, sampleData } from './store/sample-data.ts'
import { type SourceStatusStore, sourceStatusStore } from './store/source-status.ts'
import { type ZonePriceStore, zonePriceStore } from './store/zone-prices.ts'

const DATA_VERSION_POLL_MS = 1_000

export interface Context extends AsyncDisposable {
  config: Config
  clock: Clock
  log: Logger
  database: Database
  prices: PriceStore
  zones: ZonePriceStore
  forecasts: ForecastStore
  sourceStatus: SourceStatusStore
  dataVersion: DataVersion
  queue: Queue
  sampleData: SampleData
  access: AccessControl
  /** Rejects if the embedded engine dies by itself: nothing can go on then. */
  failure: Promise<never>
  stop(): Promise<void>
}

export interface ContextOptions {
  config: Config
  log: Logger
  clock?: Clock
  open?: (config: Config) => Promise<DatabaseLocation>
}

export async function makeContext({ config, log, open = openDatabase, ...given }: ContextOptions): Promise<Context> {
  await using stack = new AsyncDisposableStack()
  const stopping = new AbortController()
  const clock = given.clock ?? makeClock(config.clockStart)

  const location = await open(config)
  if (location.engine !== undefined) stack.use(location.engine)
  const database = stack.use(connectDatabase(location))
  const outcome = await migrate(database)
  if (outcome.applied.length > 0) log.info({ migrations: outcome.applied }, 'database migrated')

  const version = dataVersion(database.sql)
  await version.refresh()
  version.follow({
    everyMs: DATA_VERSION_POLL_MS,
    signal: stopping.signal,
    onError: (err) => log.warn({ err }, 'the data version could not be read'),
  })
  const queue = stack.use(await startQueue(location.url, log))
  const access = stack.use(await openAccessControl({ config, database, clock, dataVersion: version, log }))
  stack.defer(() => stopping.abort())

  const resources = stack.move()
  const stop = () => resources.disposeAsync()
  return {
    config,
    clock,
    log,
    database,
    prices: priceStore(database.read),
    zones: zonePriceStore(database.read),
    forecasts: forecastStore(database.read),
    sourceStatus: sourceStatusStore(database.read),
    dataVersion: version,
    queue,
    sampleData: sampleData(config.sampleData, database.sql),
    access,
    failure: failureOf(location),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function failureOf({ engine }: DatabaseLocation): Promise<never> {
  if (engine === undefined) return new Promise(() => {})
  return engine.crashed.then((cause) => {
    throw new Error('the embedded database stopped by itself', { cause })
  })
}
