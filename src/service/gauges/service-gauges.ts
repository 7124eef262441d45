/** Gauges computed at each scrape: freshness, queues, backlogs, forecast errors, database. */
import { Gauge, Registry } from 'prom-client'
import { FORECAST_ASSETS } from '../../market/forecast-scope.ts'
import { startOfMarketDay } from '../../market/market-day.ts'
import { STORED_ZONES } from '../../market/zones.ts'
import type { QueueDepth } from '../../platform/queue/queue.ts'
import { type BulkFile, offeredBulkFiles } from '../../store/bulk-files.ts'
import { driftingSubjects } from '../../store/forecast-drift.ts'
import { ledgerHeads } from '../../store/forecast-ledger.ts'
import { type RecentForecasts, recentForecasts } from '../../store/forecast-monitor.ts'
import { type Backlogs, databaseRoundTripSeconds, readBacklogs } from '../../store/operations.ts'
import type { SeriesFreshness } from '../../store/source-status.ts'
import type { Context } from '../context.ts'

/** Forecast errors change once a day, so they are not computed at every scrape, every 15 seconds in each process. */
const FORECASTS_EVERY_MS = 60_000

/** A reader for the metrics server. Backlogs are reported by workers: the API may not read all of them. */
export function serviceGauges(ctx: Context): () => Promise<Registry> {
  const forecasts = atMostEvery(FORECASTS_EVERY_MS, () =>
    recentForecasts(ctx.forecasts, FORECAST_ASSETS, ctx.clock.now()),
  )
  const hours = atMostEvery(FORECASTS_EVERY_MS, () =>
    recentForecasts(ctx.hourlyForecasts, STORED_ZONES, ctx.clock.now()),
  )
  const drift = atMostEvery(FORECASTS_EVERY_MS, () => driftingSubjects(ctx.database.read))
  const ledgers = atMostEvery(FORECASTS_EVERY_MS, () => ledgerHeads(ctx.database.read))
  return async () => {
    const [roundTrip, freshness, files, depths, recent, recentOfHours, drifting, heads, backlogs] = await Promise.all([
      databaseRoundTripSeconds(ctx.database.read),
      ctx.sourceStatus.list(),
      offeredBulkFiles(ctx.database.read),
      ctx.queue.depths(),
      forecasts(),
      hours(),
      drift(),
      ledgers(),
      ctx.config.role === 'api' ? undefined : readBacklogs(ctx.database.sql, ctx.clock.now()),
    ])
    const registry = new Registry()
    addRoundTrip(registry, roundTrip)
    addFreshness(registry, freshness)
    addBulkFiles(registry, files)
    addQueues(registry, depths)
    addForecasts(registry, recent)
    addHourlyForecasts(registry, recentOfHours)
    addDrift(registry, drifting)
    addLedgers(
      registry,
      heads.filter(({ chain }) => chain.endsWith('issued')).reduce((sum, { sequence }) => sum + sequence, 0),
    )
    if (backlogs !== undefined) addBacklogs(registry, backlogs)
    return registry
  }
}

function atMostEvery<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; value: T } | undefined
  return async () => {
    if (last !== undefined && performance.now() - last.at < ms) return last.value
    const value = await read()
    last = { at: performance.now(), value }
    return value
  }
}

/** Adds gauges with a sample per row, by name (without `energy_`): help and value; an undefined value is a missing sample, never 0. */
function addGauges<Row, Label extends string>(
  registry: Registry,
  rows: readonly Row[],
  labels: Record<Label, (row: Row) => string>,
  gauges: Record<string, [help: string, value: (row: Row) => number | undefined]>,
): void {
  const labelNames = Object.keys(labels) as Label[]
  const labelsOf = (row: Row) => Object.fromEntries(labelNames.map((label) => [label, labels[label](row)]))
  for (const [name, [help, value]] of Object.entries(gauges)) {
    const gauge = new Gauge({ name: `energy_${name}`, help, labelNames, registers: [registry], aggregator: 'max' })
    for (const row of rows) {
      const measured = value(row)
      if (measured !== undefined) gauge.set(labelsOf(row) as Record<Label, string>, measured)
    }
  }
}

const epochSeconds = (instant: Temporal.Instant) => Math.floor(instant.epochMilliseconds / 1_000)

/** Instants rather than ages, so that an alert is a subtraction: `time() - energy_series_fetched_timestamp_seconds`. */
export function addFreshness(registry: Registry, freshness: readonly SeriesFreshness[]): void {
  const labels = { series: (one: SeriesFreshness) => one.series, source: (one: SeriesFreshness) => one.sourceId }
  addGauges(registry, freshness, labels, {
    series_fetched_timestamp_seconds: [
      'When the latest values of a series were fetched.',
      ({ fetchedAt }) => epochSeconds(fetchedAt),
    ],
    series_market_day_timestamp_seconds: [
      'Start of the latest market day of a series.',
      ({ marketDay }) => epochSeconds(startOfMarketDay(Temporal.PlainDate.from(marketDay))),
    ],
    series_complete: ['Whether every interval of that day is available.', ({ complete }) => (complete ? 1 : 0)],
  })
}

/** Instants: `time() - energy_bulk_file_generated_timestamp_seconds` above 26 hours means a missed night. */
function addBulkFiles(registry: Registry, files: readonly BulkFile[]): void {
  const labels = { dataset: (file: BulkFile) => file.dataset, format: (file: BulkFile) => file.format }
  addGauges(registry, files, labels, {
    bulk_file_generated_timestamp_seconds: [
      'When the file of a bulk export was last verified to match the database.',
      ({ generatedAt }) => epochSeconds(generatedAt),
    ],
    bulk_file_rows: ['Rows in the file of a bulk export.', ({ rows }) => rows],
    bulk_file_bytes: ['Size of the file of a bulk export.', ({ bytes }) => bytes],
  })
}

export function addQueues(registry: Registry, depths: readonly QueueDepth[]): void {
  addGauges(
    registry,
    depths,
    { queue: ({ queue }: QueueDepth) => queue },
    {
      queue_waiting_jobs: [
        'Waiting jobs; in a queue ending in .dead, those that failed permanently.',
        ({ waiting }) => waiting,
      ],
      queue_active_jobs: ['Running jobs.', ({ active }) => active],
    },
  )
}

function addBacklogs(registry: Registry, backlogs: Backlogs): void {
  addGauges(
    registry,
    [backlogs],
    {},
    {
      webhook_deliveries_waiting: ['Unfinished deliveries to webhooks.', ({ deliveriesWaiting }) => deliveriesWaiting],
      webhook_deliveries_overdue_seconds: [
        'By how much the oldest waiting delivery is overdue.',
        ({ deliveriesOverdueSeconds }) => deliveriesOverdueSeconds,
      ],
      alerts_suspended: [
        'Alerts suspended after failures, until their owner resumes them.',
        ({ alertsSuspended }) => alertsSuspended,
      ],
      quarantined_days: ['Market days in quarantine, awaiting a decision.', ({ daysInQuarantine }) => daysInQuarantine],
      emails_waiting: ['Unsent e-mails.', ({ emailsWaiting }) => emailsWaiting],
      database_bytes: ['Size of the database.', ({ databaseBytes }) => databaseBytes],
    },
  )
}

function addRoundTrip(registry: Registry, roundTripSeconds: number): void {
  addGauges(
    registry,
    [roundTripSeconds],
    {},
    {
      database_round_trip_seconds: [
        'Duration of an empty query, including the wait for a pooled connection.',
        (measured) => measured,
      ],
    },
  )
}

/** Hours of each zone; a zone without a scored day has no error gauges. */
export function addHourlyForecasts(registry: Registry, recent: readonly RecentForecasts[]): void {
  const window = 'hours of the last 30 scored days at the shortest horizon.'
  const labels = { zone: (one: RecentForecasts) => one.code, chain: (one: RecentForecasts) => one.chain }
  addGauges(registry, recent, labels, {
    hourly_forecast_issued_timestamp_seconds: [
      'When the hours of a zone were last issued.',
      ({ issuedAt }) => epochSeconds(issuedAt),
    ],
    hourly_forecast_scored_days: ['Days behind the errors, 30 at most.', ({ errors }) => errors?.days ?? 0],
    hourly_forecast_mae_eur_mwh: [`Mean absolute error of the median, ${window}`, ({ errors }) => errors?.mae],
    hourly_forecast_pinball_eur_mwh: [
      `Mean pinball loss of p10, p50 and p90, ${window}`,
      ({ errors }) => errors?.pinball,
    ],
    hourly_forecast_rmae: [
      `Mean absolute error as a share of the naive forecast’s, ${window}`,
      ({ errors }) => errors?.rmae,
    ],
    hourly_forecast_coverage80: [
      `Share of prices between p10 and p90, nominally 0.8, ${window}`,
      ({ errors }) => errors?.coverage80,
    ],
  })
}

/** Models that are worse than their test promised. */
export function addDrift(registry: Registry, drifting: readonly { subject: string; since: Temporal.Instant }[]): void {
  addGauges(
    registry,
    drifting,
    { subject: ({ subject }) => subject },
    {
      forecast_drift_since_timestamp_seconds: [
        'Since when a model has been worse than its test promised.',
        ({ since }) => epochSeconds(since),
      ],
    },
  )
}

/** Never falls: fewer rows mean a truncated ledger or a restored backup. */
function addLedgers(registry: Registry, rows: number): void {
  addGauges(
    registry,
    [rows],
    {},
    { forecast_ledger_rows: ['Rows in the ledgers of issued forecasts, of days and of hours.', () => rows] },
  )
}

/** An asset without a scored day has no error gauges. */
export function addForecasts(registry: Registry, recent: readonly RecentForecasts[]): void {
  const window = 'last 30 scored days at the shortest horizon.'
  const labels = { asset: (one: RecentForecasts) => one.code, chain: (one: RecentForecasts) => one.chain }
  addGauges(registry, recent, labels, {
    forecast_issued_timestamp_seconds: ['When forecasts were last issued.', ({ issuedAt }) => epochSeconds(issuedAt)],
    forecast_scored_days: ['Days behind the errors, 30 at most.', ({ errors }) => errors?.n ?? 0],
    forecast_mae_eur_mwh: [`Mean absolute error of the median, ${window}`, ({ errors }) => errors?.mae],
    forecast_bias_eur_mwh: [`Mean of median less price, ${window}`, ({ errors }) => errors?.bias],
    forecast_pinball_eur_mwh: [`Mean pinball loss of p10, p50 and p90, ${window}`, ({ errors }) => errors?.pinball],
    forecast_rmae: [`Mean absolute error as a share of the naive forecast’s, ${window}`, ({ errors }) => errors?.rmae],
    forecast_coverage80: [
      `Share of prices between p10 and p90, nominally 0.8, ${window}`,
      ({ errors }) => errors?.coverage80,
    ],
  })
}
