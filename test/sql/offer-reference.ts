/** The rules of src/web/docs/offer-indices.md in a few lines of TypeScript: an independent calculation to check the SQL. */

export interface ReferenceOffer {
  supplier: number
  /** Price of a fixed offer or spread of a variable one. */
  component: number
  fee?: number | undefined
}

/** Linear interpolation between the neighbours, type 7 of Hyndman and Fan. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const position = (sorted.length - 1) * p
  const below = Math.floor(position)
  const [low = Number.NaN, high = low] = [sorted[below], sorted[below + 1]]
  return low + (position - below) * (high - low)
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The offers that are not excluded; prices are `component + shift`. */
export function keptOffers(offers: readonly ReferenceOffer[], shift: number): ReferenceOffer[] {
  const sound = offers.filter(({ component }) => Number.isFinite(component) && component + shift > 0)
  const components = sound.map(({ component }) => component)
  const centre = percentile(components, 0.5)
  const distances = components.map((component) => Math.abs(component - centre))
  const mad = 1.4826 * percentile(distances, 0.5)
  const scale = mad > 1e-9 ? mad : 1.2533 * mean(distances)
  return sound.filter((_, i) => (distances[i] ?? 0) <= 5 * scale + 1e-9)
}
