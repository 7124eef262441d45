/**
 * Lasso by coordinate descent on the Gram matrix (Friedman, Hastie, Tibshirani 2010, "covariance updates"): minimises
 * ½‖y − Xβ‖² + λ‖β‖₁ for falling λ, each fit starting from the one before. Rows are read once, for the sums; after that only columns matter.
 */
interface LassoProblem {
  /** XᵀX of standardised columns, size × size. */
  gram: Float64Array
  /** Xᵀy of a centred target. */
  moments: Float64Array
  /** ‖y‖². */
  targetSquares: number
}

export interface LassoFit {
  penalty: number
  coefficients: Float64Array
  residualSquares: number
  /** How many coefficients are not zero. */
  active: number
}

const PENALTIES = 40
/** The smallest penalty as a share of the one that sets every coefficient to zero. */
const LEAST_SHARE = 3e-3
const SWEEPS_MAX = 300
/** Not to full precision: stopping early also regularises, and did not make forecasts worse. */
const TOLERANCE = 1e-3

interface LassoOptions {
  /** In descending order; by default 40, and the largest sets every coefficient to zero. */
  penalties?: readonly number[]
  /** A sweep that moves no coefficient by more than this share of the target's size ends the descent. */
  tolerance?: number
}

/** Returns the fits in the order of the penalties. */
export function lassoPath(
  problem: LassoProblem,
  { penalties = usualPenalties(problem), tolerance = TOLERANCE }: LassoOptions = {},
): LassoFit[] {
  const size = problem.moments.length
  const coefficients = new Float64Array(size)
  const slopes = Float64Array.from(problem.moments)
  return penalties.map((penalty) => {
    descend(problem, coefficients, slopes, penalty, tolerance)
    return {
      penalty,
      coefficients: Float64Array.from(coefficients),
      residualSquares: residualSquares(problem, coefficients, slopes),
      active: coefficients.reduce((count, value) => count + (value === 0 ? 0 : 1), 0),
    }
  })
}

function usualPenalties({ moments }: LassoProblem): number[] {
  const largest = moments.reduce((most, moment) => Math.max(most, Math.abs(moment)), 0)
  return Array.from({ length: PENALTIES }, (_, index) => largest * LEAST_SHARE ** (index / (PENALTIES - 1)))
}

/** Sweeps over all coordinates, then over the non-zero ones until they converge; repeats until a full sweep changes little. */
function descend(
  { gram, targetSquares }: LassoProblem,
  coefficients: Float64Array,
  slopes: Float64Array,
  penalty: number,
  tolerance: number,
): void {
  const size = coefficients.length
  const limit = tolerance * Math.sqrt(targetSquares)
  let activeOnly = false
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
    let largestMove = 0
    for (let j = 0; j < size; j++) {
      const before = coefficients[j] as number
      if (activeOnly && before === 0) continue
      const squares = gram[j * size + j] as number
      if (squares <= 0) continue
      const pull = (slopes[j] as number) + squares * before
      const after = Math.sign(pull) * Math.max(0, Math.abs(pull) - penalty)
      const move = after / squares - before
      if (move === 0) continue
      coefficients[j] = before + move
      for (let k = 0; k < size; k++) slopes[k] = (slopes[k] as number) - move * (gram[j * size + k] as number)
      largestMove = Math.max(largestMove, Math.abs(move) * Math.sqrt(squares))
    }
    if (largestMove > limit) activeOnly = true
    else if (activeOnly) activeOnly = false
    else return
  }
}

/** ‖y − Xβ‖² = ‖y‖² − βᵀ(Xᵀy + Xᵀ(y − Xβ)). */
function residualSquares(
  { moments, targetSquares }: LassoProblem,
  coefficients: Float64Array,
  slopes: Float64Array,
): number {
  let explained = 0
  coefficients.forEach((value, j) => {
    explained += value * ((moments[j] as number) + (slopes[j] as number))
  })
  return Math.max(0, targetSquares - explained)
}
