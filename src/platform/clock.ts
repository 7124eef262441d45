/** The process's clock. Everything that depends on the time reads it, so that a demonstration can start at any instant. */
export interface Clock {
  now(): Temporal.Instant
}

/**
 * The machine's time, or a clock that starts at the given instant and runs from there. It goes in milliseconds, each an instant made
 * once: a busy service asks many times in one.
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
