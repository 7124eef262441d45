/** What Prometheus is told at each scrape besides what is counted: freshness, queues, backlogs, forecast errors, database, process. */

import type { MetricFamily } from '../../platform/metrics/exposition.ts'
import { processFamilies, watchEventLoop } from '../../platform/metrics/process.ts'
import { offeredBulkFiles } from '../../store/bulk-files.ts'
import { recentForecasts } from '../../store/forecast-monitor.ts'
import { databaseRoundTripSeconds, readBacklogs } from '../../store/operations.ts'
import type { Context } from '../context.ts'
import { forecastFamilies } from './forecast-gauges.ts'
import { backlogFamilies, bulkFileFamilies, databaseFamilies, freshnessFamilies, queueFamilies } from './gauges.ts'

/** Errors change once a day; two processes asked every 15 seconds need not compute them each time. */
const FORECASTS_EVERY_MS = 60_000

/** A reader for the metrics server. What waits for workers is told by them: the API may not read all of it. */
export function serviceGauges(ctx: Context): { process(): MetricFamily[]; database(): Promise<MetricFamily[]> } {
  watchEventLoop()
  const forecasts = atMostEvery(FORECASTS_EVERY_MS, () => recentForecasts(ctx.database.read, ctx.clock.now()))
  return {
    process: processFamilies,
    async database() {
      const [roundTrip, freshness, files, depths, recent, backlogs] = await Promise.all([
        databaseRoundTripSeconds(ctx.database.read),
        ctx.sourceStatus.list(),
        offeredBulkFiles(ctx.database.read),
        ctx.queue.depths(),
        forecasts(),
        ctx.config.role === 'api' ? undefined : readBacklogs(ctx.database.sql, ctx.clock.now()),
      ])
      return [
        ...databaseFamilies(roundTrip),
        ...freshnessFamilies(freshness),
        ...bulkFileFamilies(files),
        ...queueFamilies(depths),
        ...forecastFamilies(recent),
        ...(backlogs === undefined ? [] : backlogFamilies(backlogs)),
      ]
    },
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
