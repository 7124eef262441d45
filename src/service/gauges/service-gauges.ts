/** What Prometheus reads at each scrape besides what is counted: freshness, queues, backlogs, forecast errors, database. */
import { Registry } from 'prom-client'
import { offeredBulkFiles } from '../../store/bulk-files.ts'
import { driftingSubjects } from '../../store/forecast-drift.ts'
import { ledgerHeads } from '../../store/forecast-ledger.ts'
import { recentForecasts, recentHours } from '../../store/forecast-monitor.ts'
import { databaseRoundTripSeconds, readBacklogs } from '../../store/operations.ts'
import type { Context } from '../context.ts'
import {
  addBacklogs,
  addBulkFiles,
  addDrift,
  addForecasts,
  addFreshness,
  addHours,
  addLedgers,
  addQueues,
  addRoundTrip,
} from './gauges.ts'

/** Errors change once a day, so they are not computed at every scrape, every 15 seconds in each process. */
const FORECASTS_EVERY_MS = 60_000

/** A reader for the metrics server. Backlogs are reported by workers: the API may not read all of them. */
export function serviceGauges(ctx: Context): () => Promise<Registry> {
  const forecasts = atMostEvery(FORECASTS_EVERY_MS, () => recentForecasts(ctx.database.read, ctx.clock.now()))
  const hours = atMostEvery(FORECASTS_EVERY_MS, () => recentHours(ctx.hourlyForecasts, ctx.clock.now()))
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
    addHours(registry, recentOfHours)
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
