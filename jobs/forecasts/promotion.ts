/** Model selection: a model becomes active only if its errors over the last 60 scored days are smaller than the naive forecast's. */
import { coverage, mae, pinball } from '../../models/metrics.ts'
import { type MadeForecast, TEST_DAYS, type TestErrors } from './task.ts'

/** Errors of forecasts whose price is known. */
export function testErrors(forecasts: readonly MadeForecast[]): TestErrors {
  const scored = forecasts.flatMap(({ p10, p50, p90, actual }) =>
    actual === undefined ? [] : [{ p10, p50, p90, actual }],
  )
  return { n: scored.length, mae: mae(scored), pinball: pinball(scored), coverage80: coverage(scored) }
}

/**
 * The candidate with the smallest pinball loss among those whose median error is no worse, and whose pinball loss is better, than the
 * benchmark's; without one, the benchmark. As long as 60 days cannot be scored, the base model.
 */
export function selectModel(
  base: string,
  benchmark: string,
  candidates: readonly string[],
  errors: Readonly<Record<string, TestErrors>>,
): { activeModel: string; reason: string } {
  const bar = errors[benchmark]
  if (bar === undefined || bar.n < TEST_DAYS)
    return { activeModel: base, reason: `the test needs ${TEST_DAYS} scored days and had ${bar?.n ?? 0}` }
  const [best] = candidates
    .map((model) => ({ model, own: errors[model] as TestErrors }))
    .filter(({ own }) => own.n >= TEST_DAYS && own.mae <= bar.mae && own.pinball < bar.pinball)
    .sort((a, b) => a.own.pinball - b.own.pinball)
  const days = `over the last ${TEST_DAYS} scored days`
  if (best === undefined) return { activeModel: benchmark, reason: `no model beat ${benchmark} ${days}` }
  return { activeModel: best.model, reason: `the smallest errors of those that beat ${benchmark} ${days}` }
}
