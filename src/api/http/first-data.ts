/** While the service stores its first data, what is missing comes in seconds, not with a publisher's next publication; answers and pages say so. */
import type { RequestHandler } from 'express'
import { type ApiError, noDataBecause } from '../contract/errors.ts'
import type { Health } from './service.ts'

/** The first three years of sample data take about ten seconds. */
const RETRY_SECONDS = 5

const firstDataComing = () =>
  noDataBecause('Prices are being stored at the moment. Please try again shortly.', RETRY_SECONDS)

/** For pages that show data, which would be empty. */
export function awaitFirstData({ filling }: Health): RequestHandler {
  return (_req, _res, next) => next(filling() ? firstDataComing() : undefined)
}

/** The error to answer with. */
export function orFirstDataComing(err: ApiError, { filling }: Health): ApiError {
  return err.code === 'no_data' && filling() ? firstDataComing() : err
}
