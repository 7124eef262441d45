/**
 * Noise by hashing: the same stream and position always give the same number, regardless of earlier calls. Positions are whole
 * numbers (days, ordinals) unless a function interpolates.
 */
import type { MarketDay } from '../../market/market-day.ts'

/** Uniform numbers in [0, 1): `uniformNoise('clouds')(20_500)`. `detail` numbers the draws at one position. */
export function uniformNoise(stream: string): (position: number, detail?: number) => number {
  const seed = hashText(stream)
  return (position, detail = 0) => {
    const atPosition = scramble(seed + Math.imul(position, 0x9e3779b1))
    return (scramble(atPosition + Math.imul(detail, 0x85ebca6b)) >>> 0) / 2 ** 32
  }
}

/** Bell-shaped numbers of mean 0 and standard deviation 1, the sum of four uniform ones: never beyond ±3.47. */
export function bellNoise(stream: string): (position: number, detail?: number) => number {
  const uniforms = ['a', 'b', 'c', 'd'].map((part) => uniformNoise(`${stream}/${part}`))
  return (position, detail) => {
    let sum = -2
    for (const uniform of uniforms) sum += uniform(position, detail)
    return sum * Math.sqrt(3)
  }
}

/** Interpolates linearly between bell-shaped knots at whole positions; accepts any position. */
export function smoothNoise(stream: string): (position: number) => number {
  const knot = bellNoise(stream)
  return (position) => {
    const left = Math.floor(position)
    const share = position - left
    return (1 - share) * knot(left) + share * knot(left + 1)
  }
}

/**
 * A path over days, like a random walk: daily steps have a standard deviation of about 1 and hardly any autocorrelation, yet each day is
 * computed independently. It sums noise with knots every 1, 2, 4 … 128 days, weighted by the square root of the spacing. Beyond 128
 * days the path keeps returning to 0 (standard deviation about 6.5).
 */
export function randomPath(stream: string): (day: number) => number {
  const octaves = Array.from({ length: 8 }, (_, k) => ({ noise: smoothNoise(`${stream}/${k}`), spacing: 2 ** k }))
  return (day) => {
    let sum = 0
    for (const { noise, spacing } of octaves) sum += Math.sqrt(spacing) * noise(day / spacing)
    return sum / 2
  }
}

/** FNV-1a, 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash
}

/** The finalizer of MurmurHash3: every input bit reaches every output bit. */
function scramble(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

const DAYS_PER_YEAR = 365.2425
const MILLISECONDS_PER_DAY = 86_400_000

/** Days since 1970-01-01, so that shapes and noise need no calendar arithmetic. */
export function dayNumber(day: MarketDay): number {
  return day.toZonedDateTime('UTC').epochMilliseconds / MILLISECONDS_PER_DAY
}

/** 1 on the given day of the year (20 is 20 January), −1 half a period later; `cyclesPerYear` 2 peaks twice a year. */
export function season(day: number, peakDayOfYear: number, cyclesPerYear = 1): number {
  return Math.cos((2 * Math.PI * cyclesPerYear * (day - peakDayOfYear + 1)) / DAYS_PER_YEAR)
}
