import { ApiError } from '../../api/contract/errors.ts'

/** The answer, or undefined where there are no data for it: a page says so in its own words. Other errors stay errors. */
export async function orNone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (err) {
    if (err instanceof ApiError && (err.code === 'no_data' || err.code === 'not_found')) return undefined
    throw err
  }
}
