/** The order of two instants, or of two days. */
type Time = Temporal.Instant | Temporal.PlainDate

export function isBefore<T extends Time>(a: T, b: T): boolean {
  return order(a, b) < 0
}

/** `earlierOf(requested, today)`: the requested day, but at most today. */
export function earlierOf<T extends Time>(a: T, b: T): T {
  return order(a, b) < 0 ? a : b
}

export function laterOf<T extends Time>(a: T, b: T): T {
  return order(a, b) > 0 ? a : b
}

function order(a: Time, b: Time): number {
  return a instanceof Temporal.Instant
    ? Temporal.Instant.compare(a, b as Temporal.Instant)
    : Temporal.PlainDate.compare(a, b as Temporal.PlainDate)
}
