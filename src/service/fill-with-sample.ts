/**
 * Fills a database with all sample data up to now, as a service does that is then stopped: follow-up jobs remain in the queue. Past
 * forecasts are replayed here, so that a first start need not do it.
 */
import { computeOfferIndices } from '../../jobs/compute-offer-indices.ts'
import { backfillAccuracy } from '../../jobs/forecasts/backfill-accuracy.ts'
import { loadVersions } from '../../jobs/forecasts/load-versions.ts'
import { maintainDatabase } from '../../jobs/maintain-database.ts'
import { publishSample } from '../../jobs/publish-sample.ts'
import { refreshAggregates } from '../../jobs/refresh-aggregates.ts'
import { FORECAST_SUBJECTS } from '../market/forecast-scope.ts'
import { marketDayOf } from '../market/market-day.ts'
import { type ContextOptions, makeContext } from './context.ts'

export async function fillWithSample(options: ContextOptions): Promise<void> {
  await using ctx = await makeContext(options)
  const { signal } = new AbortController()
  await publishSample.run({ payload: { andRefresh: false }, ctx, signal })
  const now = ctx.clock.now()
  const loaded = await loadVersions(ctx.database.sql, marketDayOf(now))
  await backfillAccuracy(ctx, FORECAST_SUBJECTS, loaded, { now, signal })
  for (const job of [refreshAggregates, computeOfferIndices, maintainDatabase])
    await job.run({ payload: {}, ctx, signal })
}
