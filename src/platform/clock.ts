/** The process's clock. Everything that depends on the time reads it, so that a demonstration can start at any instant. */
export interface Clock {
  now(): Temporal.Instant
}

/** The machine's time, or a clock that starts at the given instant and runs from there. */
export function makeClock(startsAt?: Temporal.Instant): Clock {
  if (startsAt === undefined) return { now: () => Temporal.Now.instant() }
  const offset = Temporal.Now.instant().until(startsAt)
  return { now: () => Temporal.Now.instant().add(offset) }
}
