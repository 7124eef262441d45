/** Fetching as the service does it, on a database of the test's own, from the local publishers. */
import type { Clock } from '../../src/clock.ts'
import { readConfig } from '../../src/config/config.ts'
import type { FetchedSourceId } from '../../src/config/source-config.ts'
import { type FetchContext, ingestSpan, type SpanReport } from '../../src/ingest/fetch-span.ts'
import { sourceRegistry } from '../../src/ingest/source-registry.ts'
import { createLogger } from '../../src/log.ts'
import type { Fetcher } from '../../src/sources/fetcher.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { type Publishers, type PublishersOptions, plainTruth, startPublishers } from './publishers/index.ts'

/** Far below what a test may take, far above what an answer on this machine takes. */
const TIMES = { headersMs: 1_500, bodyMs: 1_500, totalMs: 3_000 }

export interface Fetching extends AsyncDisposable {
  ctx: FetchContext
  db: TestDatabase
  publishers: Publishers
  setNow(instant: string): void
  fetcher(source: FetchedSourceId): Fetcher
  /** One attempt at the days, `2026-03-29` or `2026-03-29/2026-03-30`. */
  ingest(
    source: FetchedSourceId,
    days: string,
    options?: { conditional?: boolean; signal?: AbortSignal },
  ): Promise<SpanReport>
  /** How long the client waited before repeating, instead of waiting. */
  pauses: number[]
  logText(): string
}

export interface FetchingOptions
  extends Omit<PublishersOptions, 'clock' | 'truth'>,
    Partial<Pick<PublishersOptions, 'truth'>> {
  now: string
  env?: Record<string, string>
}

export async function startFetching({
  now,
  env = {},
  truth = plainTruth(),
  ...options
}: FetchingOptions): Promise<Fetching> {
  let instant = Temporal.Instant.from(now)
  const clock: Clock = { now: () => instant }
  const db = await testDatabase()
  const publishers = await startPublishers({ clock, truth, ...options })
  let logText = ''
  const log = createLogger({
    level: 'trace',
    destination: {
      write: (line) => {
        logText += line
      },
    },
  })
  const pauses: number[] = []
  const sleep = async (milliseconds: number, signal: AbortSignal) => {
    signal.throwIfAborted()
    if (milliseconds > 0) pauses.push(milliseconds)
  }
  const config = readConfig({ ...publishers.env, BASE_URL: 'https://energy.example', ...env })
  const sources = sourceRegistry({ config, clock, sql: db.database.sql, times: TIMES, sleep })
  const ctx: FetchContext = { database: db.database, clock, sources, log }
  const fetcher = (source: FetchedSourceId) => {
    const found = sources.find(source)
    if (found === undefined) throw new Error(`${source} is off: ${JSON.stringify(sources.off)}`)
    return found
  }
  return {
    ctx,
    db,
    publishers,
    pauses,
    fetcher,
    logText: () => logText,
    setNow: (text) => {
      instant = Temporal.Instant.from(text)
    },
    ingest(source, days, { conditional = true, signal = AbortSignal.timeout(60_000) } = {}) {
      const [from = '', to = from] = days.split('/')
      const span = { from: Temporal.PlainDate.from(from), to: Temporal.PlainDate.from(to) }
      return ingestSpan(ctx, fetcher(source), span, signal, { conditional })
    },
    async [Symbol.asyncDispose]() {
      await sources[Symbol.asyncDispose]()
      await publishers.stop()
      await db.stop()
    },
  }
}
