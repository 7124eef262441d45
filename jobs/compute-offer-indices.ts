/**
 * Updates the daily history of the offer indices: computes a day when its offers are new, and again when they or its reference prices
 * have changed. A second run finds nothing to do.
 */
import { z } from 'zod'
import { job } from '../src/service/job.ts'
import { refreshOfferIndices } from '../src/store/offer-indices.ts'
import { planExports } from './plan-exports.ts'

export const computeOfferIndices = job({
  queue: 'offers.index',
  payload: z.object({}),
  isDeduplicated: true,
  retry: { limit: 5, backoffSeconds: 5 },
  expireSeconds: 1800,
  async run({ ctx, signal }) {
    const days = await refreshOfferIndices(ctx.database.sql, ctx.clock.now(), signal)
    if (days === 0) return
    await ctx.dataVersion.refresh()
    ctx.log.info({ days }, 'offer indices computed')
    await ctx.queue.send(planExports, { missing: true })
  },
})
