import { ApiError } from '../../api/contract/errors.ts'

/** The response, or undefined if there are no data: the page then says so in its own words. Other errors are rethrown. */
export async function undefinedIfNotFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (err) {
    if (err instanceof ApiError && (err.code === 'no_data' || err.code === 'not_found')) return undefined
    throw err
  }
}
