/**
 * While the service stores its first data, from the oldest to the newest, what is missing comes in seconds, not with a publisher's next
 * publication, and what is there is old. Answers and pages made of prices wait for the last of them.
 */
import type { RequestHandler } from 'express'
import { noDataBecause } from '../contract/errors.ts'
import type { Tag } from '../contract/tags.ts'
import type { Health } from './service.ts'

/** The first three years of sample data take about ten seconds. */
const RETRY_SECONDS = 5
const WITHOUT_PRICES: ReadonlySet<Tag> = new Set([
  'Changes',
  'Alerts',
  'Webhooks',
  'Bulk',
  'Plans and status',
  'Description',
])

const firstDataComing = () =>
  noDataBecause('Prices are being stored at the moment. Please try again shortly.', RETRY_SECONDS)

/** Answers for pages that show data; a browser requests the page again after the seconds of `Refresh`. */
export function awaitFirstData({ filling }: Health): RequestHandler {
  return (_req, res, next) => {
    if (!filling()) return next()
    res.setHeader('Refresh', String(RETRY_SECONDS))
    next(firstDataComing())
  }
}

/** Throws 503 no_data while the first data are stored. */
export function refuseWhileFilling(tag: Tag, { filling }: Health): void {
  if (filling() && !WITHOUT_PRICES.has(tag)) throw firstDataComing()
}
