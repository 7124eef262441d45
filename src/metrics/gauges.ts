/** What is read at each scrape: how fresh the series are, and how much waits in the queues. */
import { startOfMarketDay } from '../domain/market-day.ts'
import type { SeriesFreshness } from '../store/source-status.ts'
import type { MetricFamily } from './exposition.ts'

export interface QueueDepth {
  queue: string
  waiting: number
  active: number
}

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
