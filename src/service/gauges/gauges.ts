/** What is read at each scrape: how fresh the series are, and how much waits in the queues. */
import { startOfMarketDay } from '../../market/market-day.ts'
import type { MetricFamily } from '../../platform/metrics/exposition.ts'
import { single } from '../../platform/metrics/process.ts'
import type { QueueDepth } from '../../platform/queue/queue.ts'
import type { BulkFile } from '../../store/bulk-files.ts'
import type { Backlogs } from '../../store/operations.ts'
import type { SeriesFreshness } from '../../store/source-status.ts'

/** As instants, so that an alarm is a subtraction: `time() - energy_series_fetched_timestamp_seconds`. */
export function freshnessFamilies(freshness: readonly SeriesFreshness[]): MetricFamily[] {
  const gauge = (name: string, help: string, value: (one: SeriesFreshness) => number): MetricFamily => ({
    name,
    help,
    type: 'gauge',
    samples: freshness.map((one) => ({
      name,
      labels: { series: one.series, source: one.sourceId },
      value: value(one),
    })),
  })
  return [
    gauge('energy_series_fetched_timestamp_seconds', 'When the latest values of a series were read.', ({ fetchedAt }) =>
      Math.floor(fetchedAt.epochMilliseconds / 1_000),
    ),
    gauge(
      'energy_series_market_day_timestamp_seconds',
      'Start of the latest market day of a series.',
      ({ marketDay }) => Math.floor(startOfMarketDay(Temporal.PlainDate.from(marketDay)).epochMilliseconds / 1_000),
    ),
    gauge('energy_series_complete', 'Whether every interval of that day is there.', ({ complete }) =>
      complete ? 1 : 0,
    ),
  ]
}

/** As instants: `time() - energy_bulk_file_generated_timestamp_seconds` beyond 26 hours is a night that was missed. */
export function bulkFileFamilies(files: readonly BulkFile[]): MetricFamily[] {
  const gauge = (name: string, help: string, value: (file: BulkFile) => number): MetricFamily => ({
    name,
    help,
    type: 'gauge',
    samples: files.map((file) => ({
      name,
      labels: { dataset: file.dataset, format: file.format },
      value: value(file),
    })),
  })
  return [
    gauge(
      'energy_bulk_file_generated_timestamp_seconds',
      'When the file of a bulk export was last found to be what the database held.',
      ({ generatedAt }) => Math.floor(generatedAt.epochMilliseconds / 1_000),
    ),
    gauge('energy_bulk_file_rows', 'Rows in the file of a bulk export.', ({ rows }) => rows),
    gauge('energy_bulk_file_bytes', 'Size of the file of a bulk export.', ({ bytes }) => bytes),
  ]
}

export function queueFamilies(depths: readonly QueueDepth[]): MetricFamily[] {
  const gauge = (name: string, help: string, value: (depth: QueueDepth) => number): MetricFamily => ({
    name,
    help,
    type: 'gauge',
    samples: depths.map((depth) => ({ name, labels: { queue: depth.queue }, value: value(depth) })),
  })
  return [
    gauge(
      'energy_queue_waiting_jobs',
      'Jobs that wait; in a queue ending in .dead, those that failed for good.',
      ({ waiting }) => waiting,
    ),
    gauge('energy_queue_active_jobs', 'Jobs under way.', ({ active }) => active),
  ]
}

export function backlogFamilies(backlogs: Backlogs): MetricFamily[] {
  return [
    single(
      'energy_webhook_deliveries_waiting',
      'gauge',
      'Deliveries to webhooks that are not finished.',
      backlogs.deliveriesWaiting,
    ),
    single(
      'energy_webhook_deliveries_overdue_seconds',
      'gauge',
      'By how much the longest waiting delivery is overdue.',
      backlogs.deliveriesOverdueSeconds,
    ),
    single(
      'energy_alerts_suspended',
      'gauge',
      'Alerts that wait for their owner after failures.',
      backlogs.alertsSuspended,
    ),
    single(
      'energy_quarantined_days',
      'gauge',
      'Market days that were refused and wait for a decision.',
      backlogs.daysInQuarantine,
    ),
    single('energy_emails_waiting', 'gauge', 'E-mails that are not sent yet.', backlogs.emailsWaiting),
    single('energy_database_bytes', 'gauge', 'Size of the database.', backlogs.databaseBytes),
  ]
}

export function databaseFamilies(roundTripSeconds: number): MetricFamily[] {
  const help = 'Time of a query that does nothing, waiting for a connection of the pool included.'
  return [single('energy_database_round_trip_seconds', 'gauge', help, roundTripSeconds)]
}
