/**
 * Rounds to that many decimals, halves away from zero, as a reader of the printed decimals expects: `round(1.005, 2)` is 1.01 and
 * `round(-2.5, 0)` is -3. The shortest decimal text of a double is shifted instead of multiplied by a power of ten, because
 * `1.005 * 100` is 100.49999999999999.
 */
export function round(value: number, decimals: number): number {
  if (!Number.isFinite(value)) throw new RangeError(`cannot round ${value}`)
  const magnitude = shift(Math.round(shift(Math.abs(value), decimals)), -decimals)
  return value < 0 && magnitude !== 0 ? -magnitude : magnitude
}

/** `shift(1.005, 2)` is 100.5: the decimal point moved, without binary multiplication. */
function shift(value: number, places: number): number {
  const [digits, exponent = '0'] = value.toString().split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}
