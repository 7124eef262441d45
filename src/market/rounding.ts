/** Below this, the error of a product of doubles is far less than a hundredth. */
const ARITHMETIC_MAX = 2 ** 40

/**
 * Rounds to that many decimals, halves away from zero, as a reader of the printed decimals expects: `round(1.005, 2)` is 1.01 and
 * `round(-2.5, 0)` is -3.
 */
export function round(value: number, decimals: number): number {
  if (!Number.isFinite(value)) throw new RangeError(`cannot round ${value}`)
  const magnitude = roundMagnitude(Math.abs(value), decimals)
  return value < 0 && magnitude !== 0 ? -magnitude : magnitude
}

/** Uses arithmetic, which is much faster, unless its error could tip a value over a half. */
function roundMagnitude(value: number, decimals: number): number {
  const scaled = value * 10 ** decimals
  const isClear = scaled < ARITHMETIC_MAX && Math.abs((scaled % 1) - 0.5) > 0.01
  return isClear ? Math.round(scaled) / 10 ** decimals : movePoint(Math.round(movePoint(value, decimals)), -decimals)
}

/**
 * The number with its decimal point moved to the right, or to the left if `places` is negative: `movePoint(118.43, -3)` is
 * 0.11843. It works on the shortest decimal text, because arithmetic is inexact: `1.005 * 100` is 100.49999999999999.
 */
export function movePoint(value: number, places: number): number {
  const [digits, exponent = '0'] = value.toString().split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}
