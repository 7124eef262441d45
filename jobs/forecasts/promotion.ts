/** Who speaks: a model only if its errors over the last 60 scored days are smaller than those of the naive forecast. */
import { coverage } from '../../models/metrics/coverage.ts'
import { mae } from '../../models/metrics/mae.ts'
import { pinball } from '../../models/metrics/pinball.ts'
import type { MadeForecast, TestErrors } from './task.ts'

export const TEST_DAYS = 60

/** Errors of forecasts whose price is known. */
export function testErrors(forecasts: readonly MadeForecast[]): TestErrors {
  const scored = forecasts.flatMap(({ p10, p50, p90, actual }) =>
    actual === undefined ? [] : [{ p10, p50, p90, actual }],
  )
  return { n: scored.length, mae: mae(scored), pinball: pinball(scored), coverage80: coverage(scored) }
}

/**
 * The candidate with the smallest pinball loss among those that are no worse than the benchmark in the median's error and better in the
 * pinball loss; where there is none, the benchmark itself. Undecided, and the base model's, as long as 60 days cannot be scored.
 */
export function decide(
  base: string,
  benchmark: string,
  candidates: readonly string[],
  errors: Readonly<Record<string, TestErrors>>,
): { speaks: string; reason: string } {
  const bar = errors[benchmark]
  if (bar === undefined || bar.n < TEST_DAYS)
    return { speaks: base, reason: `the test needs ${TEST_DAYS} scored days and had ${bar?.n ?? 0}` }
  const [best] = candidates
    .map((model) => ({ model, own: errors[model] as TestErrors }))
    .filter(({ own }) => own.n >= TEST_DAYS && own.mae <= bar.mae && own.pinball < bar.pinball)
    .sort((a, b) => a.own.pinball - b.own.pinball)
  const days = `over the last ${TEST_DAYS} scored days`
  if (best === undefined) return { speaks: benchmark, reason: `no model beat ${benchmark} ${days}` }
  return { speaks: best.model, reason: `the smallest errors of those that beat ${benchmark} ${days}` }
}
