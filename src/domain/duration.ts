/** Durations as people write them: `7d`, `12h`, `30m`, `90s`, `0`. */
const UNITS = { d: 'hours', h: 'hours', m: 'minutes', s: 'seconds' } as const

/** Undefined where the text is not a duration. A day is 24 hours. */
export function parseDuration(text: string): Temporal.Duration | undefined {
  if (text === '0') return new Temporal.Duration()
  const match = /^(\d{1,6})([dhms])$/.exec(text)
  if (match === null) return undefined
  const unit = match[2] as keyof typeof UNITS
  return Temporal.Duration.from({ [UNITS[unit]]: Number(match[1]) * (unit === 'd' ? 24 : 1) })
}
