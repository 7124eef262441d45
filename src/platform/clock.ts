/** The process's clock. Everything that depends on the time reads it, so that a demonstration can start at any instant. */
export interface Clock {
  now(): Temporal.Instant
}

/**
 * Returns the machine's clock, or one that starts at the given instant. Its resolution is a millisecond, and it creates one instant
 * per millisecond: a busy service reads it many times in each.
 */
export function makeClock(startsAt?: Temporal.Instant): Clock {
  const aheadMs = startsAt === undefined ? 0 : startsAt.epochMilliseconds - Date.now()
  let last = Temporal.Instant.fromEpochMilliseconds(0)
  let lastMs = 0
  return {
    now() {
      const nowMs = Date.now() + aheadMs
      if (nowMs !== lastMs) {
        last = Temporal.Instant.fromEpochMilliseconds(nowMs)
        lastMs = nowMs
      }
      return last
    },
  }
}
