/** A forecast made as of a past day, as the store saves it. */
import type { ReplayedForecast } from '../../src/store/forecast-replays.ts'
import type { MadeForecast } from './task.ts'

export function replayed({ issuedAtMs, ...forecast }: MadeForecast): ReplayedForecast {
  return { ...forecast, issuedAt: Temporal.Instant.fromEpochMilliseconds(issuedAtMs) }
}
