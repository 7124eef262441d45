/** The largest fall from a peak as a share of the peak: 0.25 for `[1, 2, 1.5, 3]`. Values are above zero, or zero to the end. */
export function maxDrawdown(equity: ArrayLike<number>): number {
  let peak = 0
  let deepest = 0
  for (let i = 0; i < equity.length; i++) {
    const value = equity[i] as number
    if (value > peak) peak = value
    else deepest = Math.max(deepest, 1 - value / peak)
  }
  return deepest
}
