/**
 * The merit order: what a MWh costs, as a multiple of a combined-cycle plant's cost, by the demand that sun and wind leave to
 * plants (1 = the country's highest demand). Below nothing where sun, wind and rivers exceed demand, about 1 where gas sets the price,
 * several times that where plants run out.
 */
const STEPS: readonly (readonly [residual: number, multiple: number])[] = [
  [-0.2, -0.35],
  [-0.1, -0.12],
  [-0.03, -0.01],
  [0, 0.003],
  [0.08, 0.02],
  [0.15, 0.25],
  [0.25, 0.65],
  [0.35, 0.85],
  [0.5, 0.96],
  [0.65, 1.05],
  [0.8, 1.2],
  [0.9, 1.4],
  [1, 1.9],
  [1.15, 3.5],
  [1.4, 6],
]

/** Straight lines between the steps, the outermost multiple beyond them. */
export function multipleAt(residual: number): number {
  let [lowerResidual, lowerMultiple] = STEPS[0] ?? [0, 0]
  if (residual <= lowerResidual) return lowerMultiple
  for (const [upperResidual, upperMultiple] of STEPS) {
    if (residual < upperResidual) {
      const share = (residual - lowerResidual) / (upperResidual - lowerResidual)
      return lowerMultiple + share * (upperMultiple - lowerMultiple)
    }
    lowerResidual = upperResidual
    lowerMultiple = upperMultiple
  }
  return lowerMultiple
}
