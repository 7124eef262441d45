/**
 * While the service stores its first data, oldest first, missing data arrive within seconds, not with a publisher's next publication,
 * and the stored prices are old. Until all are stored, endpoints and pages with prices return 503.
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

const firstDataError = () =>
  noDataBecause('Prices are being stored at the moment. Please try again shortly.', RETRY_SECONDS)

/** Responds with 503 on pages that show data; a browser reloads the page after the seconds in `Refresh`. */
export function refusePagesWhileFilling({ filling }: Health): RequestHandler {
  return (_req, res, next) => {
    if (!filling()) return next()
    res.setHeader('Refresh', String(RETRY_SECONDS))
    next(firstDataError())
  }
}

/** Throws 503 no_data while the first data are stored. */
export function refuseWhileFilling(tag: Tag, { filling }: Health): void {
  if (filling() && !WITHOUT_PRICES.has(tag)) throw firstDataError()
}
