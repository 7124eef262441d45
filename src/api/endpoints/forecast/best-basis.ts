/** Which basis figures of past forecasts have: the same for pages and answers, and never both in one figure. */
import type { AccuracyBasis, RecordBasis } from '../../../store/forecasts.ts'

const ENOUGH_DAYS = 30

/** Issued forecasts once enough of their days are scored, until then whichever basis has more. */
export async function onBestBasis<Found>(
  find: (basis: AccuracyBasis) => Promise<Found>,
  daysOf: (found: Found) => number,
): Promise<{ basis: AccuracyBasis; found: Found }> {
  const issued = await find('issued')
  if (daysOf(issued) >= ENOUGH_DAYS) return { basis: 'issued', found: issued }
  const replayed = await find('replay')
  return daysOf(replayed) > daysOf(issued) ? { basis: 'replay', found: replayed } : { basis: 'issued', found: issued }
}

/** On the basis that was requested; of `all`, on the best one. */
export async function onBasis<Found>(
  requested: RecordBasis,
  find: (basis: AccuracyBasis) => Promise<Found>,
  daysOf: (found: Found) => number,
): Promise<{ basis: AccuracyBasis; found: Found }> {
  if (requested === 'all') return onBestBasis(find, daysOf)
  const basis = requested === 'live' ? 'issued' : 'replay'
  return { basis, found: await find(basis) }
}
