/** Issued forecasts once enough of them are scored, until then a replay; never both. As the API does with the last 30 days. */
import type { AccuracyBasis } from '../../store/forecasts.ts'

const ENOUGH_DAYS = 30

interface OnBasis<Row> {
  basis: AccuracyBasis
  rows: Row[]
}

export async function onBestBasis<Row>(find: (basis: AccuracyBasis) => Promise<Row[]>): Promise<OnBasis<Row>> {
  const issued = await find('issued')
  if (issued.length >= ENOUGH_DAYS) return { basis: 'issued', rows: issued }
  const replayed = await find('replay')
  return replayed.length > issued.length ? { basis: 'replay', rows: replayed } : { basis: 'issued', rows: issued }
}
