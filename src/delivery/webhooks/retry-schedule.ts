/**
 * The complete retry policy of webhooks. A failed delivery is retried after 1 minute, 10 minutes, 1 hour, 6 hours and 15 hours, each
 * with ±10 % of jitter so that receivers that failed together are not retried together. Decisions: "Alerts and webhooks".
 */
import { earlierOf, isBefore, laterOf } from '../../market/time-order.ts'

const RETRY_DELAYS_SECONDS = [60, 600, 3600, 6 * 3600, 15 * 3600]
const JITTER = 0.1
/** Longer `Retry-After` values are capped at this. */
const RETRY_AFTER_SECONDS_MAX = 6 * 3600
const LAST_CHANCE_SECONDS = 300
const PAUSE_SECONDS_MIN = 30
/** Delivery window of a crossing, replay or challenge; longer than the sum of the waits. A rotated secret keeps signing for as long. */
export const DELIVERY_HOURS = 24
/** How long a test may wait for a worker; it is tried once. */
export const TEST_HOURS = 1
/** Number of consecutive failed deliveries of crossings that suspends an alert. */
export const CONSECUTIVE_FAILURES_MAX = 20

export interface FailedAttempt {
  /** Attempts made so far, this one included. */
  attempts: number
  now: Temporal.Instant
  giveUpAt: Temporal.Instant
  /** The wait that the receiver requested. */
  retryAfterSeconds: number | undefined
}

/** The instant of the next attempt; undefined after the last or at the end of the window. `random` is in [0, 1). */
export function nextAttemptAt(attempt: FailedAttempt, random: () => number): Temporal.Instant | undefined {
  const wait = RETRY_DELAYS_SECONDS[attempt.attempts - 1]
  if (wait === undefined) return undefined
  const jittered = wait * (1 - JITTER + 2 * JITTER * random())
  const requested = Math.min(attempt.retryAfterSeconds ?? 0, RETRY_AFTER_SECONDS_MAX)
  const next = attempt.now.add({ milliseconds: Math.round(1000 * Math.max(jittered, requested)) })
  // If the wait exceeds the delivery window, an attempt is made shortly before its end, but never immediately after another.
  const latest = attempt.giveUpAt.subtract({ seconds: LAST_CHANCE_SECONDS })
  const bounded = laterOf(earlierOf(next, latest), attempt.now.add({ seconds: PAUSE_SECONDS_MIN }))
  return isBefore(bounded, attempt.giveUpAt) ? bounded : undefined
}
