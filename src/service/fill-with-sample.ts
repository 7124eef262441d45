/** Fills a database with all sample data until now, as a service does that is stopped then: what follows from them waits in the queue. */
import { computeOfferIndices } from '../../jobs/compute-offer-indices.ts'
import { maintainDatabase } from '../../jobs/maintain-database.ts'
import { publishSample } from '../../jobs/publish-sample.ts'
import { refreshAggregates } from '../../jobs/refresh-aggregates.ts'
import { type ContextOptions, makeContext } from './context.ts'

export async function fillWithSample(options: ContextOptions): Promise<void> {
  await using ctx = await makeContext(options)
  const { signal } = new AbortController()
  await publishSample.run({ payload: { andRefresh: false }, ctx, signal })
  for (const job of [refreshAggregates, computeOfferIndices, maintainDatabase])
    await job.run({ payload: {}, ctx, signal })
}
