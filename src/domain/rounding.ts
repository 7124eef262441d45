/**
 * Rounds to that many decimals, halves away from zero, as a reader of the printed decimals expects: `round(1.005, 2)` is 1.01 and
 * `round(-2.5, 0)` is -3.
 */
export function round(value: number, decimals: number): number {
  if (!Number.isFinite(value)) throw new RangeError(`cannot round ${value}`)
  const magnitude = movePoint(Math.round(movePoint(Math.abs(value), decimals)), -decimals)
  return value < 0 && magnitude !== 0 ? -magnitude : magnitude
}

/**
 * The number with its decimal point moved to the right, or to the left where `places` is negative: `movePoint(118.43, -3)` is
 * 0.11843. It works on the shortest decimal text, because arithmetic does not: `1.005 * 100` is 100.49999999999999.
 */
export function movePoint(value: number, places: number): number {
  const [digits, exponent = '0'] = value.toString().split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}
