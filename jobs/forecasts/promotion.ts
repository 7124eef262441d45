/** Who speaks: a trained model only if its errors over the last 60 scored days are smaller than the base model's. */
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

/** The candidate with the smallest pinball loss among those that beat the base model in both errors; else the base model. */
export function decide(
  base: string,
  candidates: readonly string[],
  errors: Readonly<Record<string, TestErrors>>,
): { speaks: string; reason: string } {
  const bar = errors[base]
  if (candidates.length === 0) return { speaks: base, reason: 'no other model could be trained' }
  if (bar === undefined || bar.n < TEST_DAYS)
    return { speaks: base, reason: `the test needs ${TEST_DAYS} scored days and had ${bar?.n ?? 0}` }
  const better = candidates
    .map((model) => ({ model, own: errors[model] as TestErrors }))
    .filter(({ own }) => own.n >= TEST_DAYS && own.mae < bar.mae && own.pinball < bar.pinball)
    .sort((a, b) => a.own.pinball - b.own.pinball)
  const [best] = better
  if (best === undefined)
    return { speaks: base, reason: `no model beat ${base} in both errors over the last ${TEST_DAYS} scored days` }
  return { speaks: best.model, reason: `smaller errors than ${base} over the last ${TEST_DAYS} scored days` }
}
