/**
 * Publishes sample data: everything due since the last run goes through the same ingest as a real publisher's results. At the first start
 * that is three years of prices and a month of offers; afterwards a few prices and two lists a day. Does nothing if sample data are off, or
 * a publisher has delivered.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type IngestSession, type IngestSummary, ingestSession } from '../src/ingest/ingest.ts'
import { type MarketDay, marketDayOf } from '../src/market/market-day.ts'
import { sampleSource } from '../src/publishers/sample/index.ts'
import { offersPublishedAt, offersPublishedBetween, SAMPLE_LISTS } from '../src/publishers/sample/offers.ts'
import { historyStart, marketsStart, publicationsBetween } from '../src/publishers/sample/publications.ts'
import type { Context } from '../src/service/context.ts'
import { job } from '../src/service/job.ts'
import { type DocumentOrigin, lastFetchedAt } from '../src/store/documents.ts'
import { lastCompleteOfferDay } from '../src/store/offer-writer.ts'
import { loadPriceLimits, type PriceLimitsOn } from '../src/store/price-limits.ts'
import { nationalHolidays } from '../src/store/zone-prices.ts'
import { computeOfferIndices } from './compute-offer-indices.ts'
import { refreshAggregates } from './refresh-aggregates.ts'

export const publishSample = job({
  queue: 'sample.publish',
  /** `andRefresh` is set at start-up, so that data stored but not refreshed by an earlier process become visible too. */
  payload: z.object({ andRefresh: z.boolean().default(false) }),
  isDeduplicated: true,
  retry: { limit: 5, backoffSeconds: 5 },
  expireSeconds: 300,
  async run({ payload, ctx, signal }) {
    if (payload.andRefresh) await ctx.queue.send(refreshAggregates, {})
    if (!(await ctx.sampleData.enabled())) return
    try {
      await ctx.sampleData.publishAlone(async () => {
        await publishPrices(ctx, signal, payload.andRefresh)
        await publishOffers(ctx, signal)
      })
    } catch (err) {
      if (await ctx.sampleData.enabled()) throw err
      ctx.log.info('a publisher has delivered: sample data are no longer made')
    }
  },
})

/**
 * Stores what is due by the process's clock, continuing after the last stored publication. At start-up it repeats that one, since a killed
 * process may have stored only some zones.
 */
async function publishPrices(ctx: Context, signal: AbortSignal, isStart: boolean): Promise<void> {
  const now = ctx.clock.now()
  const last = await lastFetchedAt(ctx.database.sql, sampleSource.id)
  const after = last?.subtract({ milliseconds: isStart ? 1 : 0 }) ?? historyStart(now)
  const limits = await loadPriceLimits(ctx.database.sql)
  const holidays = new Set(
    await nationalHolidays(ctx.database.sql, marketDayOf(after), marketDayOf(now).add({ days: 2 })),
  )
  let count = 0
  for (const { series, day, publishedAt, items } of publicationsBetween(after, now, holidays, marketsStart(now))) {
    signal.throwIfAborted()
    const session = sessionAt(ctx, publishedAt, limits)
    const document = documentOf(series, day, publishedAt, items)
    for (const item of items) await session.add(item, document, publishedAt)
    const { stored, corrected } = await finishSession(session)
    if (stored + corrected > 0) count += 1
  }
  if (count === 0) return
  ctx.log.info({ publications: count }, 'sample publications stored')
  await ctx.queue.send(refreshAggregates, {})
}

/** Runs after the prices: the latest document determines which of those are still due. */
async function publishOffers(ctx: Context, signal: AbortSignal): Promise<void> {
  const now = ctx.clock.now()
  const after = await lastCompleteOfferDay(ctx.database.sql, sampleSource.id, SAMPLE_LISTS)
  const limits = await loadPriceLimits(ctx.database.sql)
  let count = 0
  for (const list of offersPublishedBetween(after, now)) {
    signal.throwIfAborted()
    const publishedAt = offersPublishedAt(list.day)
    const session = sessionAt(ctx, publishedAt, limits)
    await session.add(list, documentOf(list.dataset, list.day, publishedAt, list))
    count += (await finishSession(session)).offerDays.length
  }
  if (count === 0) return
  ctx.log.info({ lists: count }, 'sample offers stored')
  await ctx.queue.send(computeOfferIndices, {})
}

/** Stores as of the publication, so that `as_of`, changes and corrections show the history that a publisher would have left. */
function sessionAt(ctx: Context, publishedAt: Temporal.Instant, limits: PriceLimitsOn): IngestSession {
  const clock = { now: () => publishedAt }
  return ingestSession({ sql: ctx.database.sql, clock, limits, source: sampleSource.id })
}

async function finishSession(session: IngestSession): Promise<IngestSummary> {
  const summary = await session.finish()
  if (summary.refused.length > 0)
    throw new Error(`the gate refused synthetic data: ${JSON.stringify(summary.refused[0])}`)
  return summary
}

/** Returns the publication as a document whose address and bytes are always the same. */
function documentOf(name: string, day: MarketDay, publishedAt: Temporal.Instant, content: unknown): DocumentOrigin {
  const body = JSON.stringify(content)
  return {
    sha256: createHash('sha256').update(body).digest('hex'),
    address: `sample:${name}/${day}`,
    bytes: Buffer.byteLength(body),
    fetchedAt: publishedAt,
  }
}
