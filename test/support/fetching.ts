/** Fetches as the service does, on a separate database, from the local publishers. */

import { type FetchContext, ingestSpan, type SpanReport } from '../../src/ingest/fetch-span.ts'
import { sourceRegistry } from '../../src/ingest/source-registry.ts'
import type { Clock } from '../../src/platform/clock.ts'
import type { Fetcher } from '../../src/publishers/fetcher.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { type Publishers, type PublishersOptions, plainTruth, startPublishers } from './publishers/index.ts'
import { recordedLog } from './recorded-log.ts'

const TIMES = { headersMs: 20_000, bodyMs: 20_000, totalMs: 20_000 }
const SHORT_TIMEOUTS = { headersMs: 80, bodyMs: 80, totalMs: 120 }

export interface IngestOptions {
  conditional?: boolean
  signal?: AbortSignal
  ctx?: FetchContext
}

export interface FetchHarness extends AsyncDisposable {
  ctx: FetchContext
  /** The same with very short time-outs, for publishers that do not respond. */
  withShortTimeouts: FetchContext
  db: TestDatabase
  publishers: Publishers
  setNow(instant: string): void
  fetcher(source: string): Fetcher
  /** One attempt to fetch the days: `2026-03-29` or `2026-03-29/2026-03-30`. */
  ingest(source: string, days: string, options?: IngestOptions): Promise<SpanReport>
  /** The client's delays before retries, recorded instead of waited for. */
  pauses: number[]
  logText(): string
}

export interface FetchingOptions
  extends Omit<PublishersOptions, 'clock' | 'truth'>,
    Partial<Pick<PublishersOptions, 'truth'>> {
  now: string
  env?: Record<string, string>
  /** A database that the caller stops; by default a new one. */
  db?: TestDatabase
}

export async function startFetching(given: FetchingOptions): Promise<FetchHarness> {
  const { now, env = {}, truth = plainTruth(), db: _db, ...options } = given
  let instant = Temporal.Instant.from(now)
  const clock: Clock = { now: () => instant }
  const db = given.db ?? (await testDatabase())
  const publishers = await startPublishers({ clock, truth, ...options })
  const { log, text: logText } = recordedLog('trace')
  const pauses: number[] = []
  const sleep = async (milliseconds: number, signal: AbortSignal) => {
    signal.throwIfAborted()
    if (milliseconds > 0) pauses.push(milliseconds)
  }
  const config = readConfig({ ...publishers.env, BASE_URL: 'https://energy.example', ...env })
  const common = { config, clock, sql: db.database.sql, sleep }
  const sources = sourceRegistry({ ...common, times: TIMES })
  const shortTimeoutSources = sourceRegistry({ ...common, times: SHORT_TIMEOUTS })
  const ctx: FetchContext = { database: db.database, clock, sources, log }
  const fetcher = (source: string) => {
    const found = sources.find(source)
    if (found === undefined) throw new Error(`${source} is off: ${JSON.stringify(sources.off)}`)
    return found
  }
  return {
    ctx,
    withShortTimeouts: { ...ctx, sources: shortTimeoutSources },
    db,
    publishers,
    pauses,
    fetcher,
    logText,
    setNow: (text) => {
      instant = Temporal.Instant.from(text)
    },
    ingest(source, days, { conditional = true, signal = new AbortController().signal, ctx: chosen = ctx } = {}) {
      const [from = '', to = from] = days.split('/')
      const span = { from: Temporal.PlainDate.from(from), to: Temporal.PlainDate.from(to) }
      return ingestSpan(chosen, fetcher(source), span, signal, { conditional })
    },
    async [Symbol.asyncDispose]() {
      await sources[Symbol.asyncDispose]()
      await shortTimeoutSources[Symbol.asyncDispose]()
      await publishers.stop()
      if (given.db === undefined) await db.stop()
    },
  }
}
