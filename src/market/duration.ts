/** Durations as people write them: `7d`, `12h`, `30m`, `90s`, `0`. */
const SECONDS = { d: 86_400, h: 3_600, m: 60, s: 1 } as const

/** Returns undefined if the text is not a duration. A day is 24 hours: `parseDuration('7d')` is 168 hours long. */
export function parseDuration(text: string): Temporal.Duration | undefined {
  if (text === '0') return new Temporal.Duration()
  const match = /^(\d{1,6})([dhms])$/.exec(text)
  if (match === null) return undefined
  return Temporal.Duration.from({ seconds: Number(match[1]) * SECONDS[match[2] as keyof typeof SECONDS] })
}
