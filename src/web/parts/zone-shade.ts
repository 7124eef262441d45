/** Thresholds in €/MWh of the first, second and third shade of a difference from the PUN. */
export const SHADES = [0.25, 2, 8] as const

/** Its class: `even`, `above-1` to `above-3`, `below-1` to `below-3`. */
export function shadeOf(difference: number): string {
  const depth = SHADES.filter((least) => Math.abs(difference) >= least).length
  return depth === 0 ? 'even' : `${difference > 0 ? 'above' : 'below'}-${depth}`
}
