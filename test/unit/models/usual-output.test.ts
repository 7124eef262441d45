/** Wind and solar output without a weather forecast: the season, plus the persistent part of the last metered day. */
import { describe, expect, it } from 'vitest'
import type { HoursRevision } from '../../../models/hourly/record.ts'
import { USUAL_REACH_DAYS, usualOutput } from '../../../models/output/usual-output.ts'

const FIRST = 19_700
const DAYS = 1000
const HOURS = 24
const DAY_MS = 86_400_000
/** In the night after the day. */
const readAt = (day: number) => (day + 1) * DAY_MS + 2 * 3_600_000

/** Constant output over each day, `meanOf(day)` MW. */
function metered(meanOf: (day: number) => number): HoursRevision[] {
  return Array.from({ length: DAYS }, (_, at) => ({
    day: FIRST + at,
    hours: Float64Array.from({ length: HOURS }, (_, hour) => meanOf(at) * (hour < 12 ? 0.5 : 1.5)),
    knownAtMs: readAt(FIRST + at),
  }))
}

/** The output forecast in the night after the last metered day. */
const lastOf = (all: readonly HoursRevision[]) =>
  usualOutput(all, FIRST).filter(({ knownAtMs }) => knownAtMs === readAt(FIRST + DAYS - 1))

describe('usual output', () => {
  it('follows the season, scaled to current capacity, if consecutive days are uncorrelated', () => {
    const season = (at: number) => 1000 + 500 * Math.sin((2 * Math.PI * at) / 364)
    const made = lastOf(metered((at) => season(at) * (at < 728 ? 1 : 1.2)))
    expect(made.map(({ day }) => day - FIRST - DAYS)).toEqual(Array.from({ length: USUAL_REACH_DAYS }, (_, i) => i))
    made.forEach(({ hours }, i) => {
      expect((hours[0] as number) / (0.5 * 1.2 * season(DAYS + i))).toBeCloseTo(1, 1)
      expect((hours[23] as number) / (hours[0] as number)).toBeCloseTo(3, 9)
    })
  })

  it('carries over the persistent part of the last day, which fades within days', () => {
    const made = lastOf(metered((at) => (Math.floor(at / 4) % 2 === 0 ? 1500 : 500)))
    // Day 999 ends a low block. One day ahead, three quarters of a block's days are alike; two days ahead, half; four days ahead, none.
    const of = (ahead: number) => (made[ahead - 1]?.hours[0] as number) / 0.5
    expect(of(1)).toBeLessThan(800)
    expect(of(2)).toBeGreaterThan(950)
    expect(of(4)).toBeGreaterThan(950)
  })

  it('does not depend on later metered values, whether removed, corrected or multiplied', () => {
    const all = metered((at) => 1000 + 300 * Math.sin(at * 1.7))
    const cutMs = readAt(FIRST + 800)
    const early = (revisions: readonly HoursRevision[]) => revisions.filter(({ knownAtMs }) => knownAtMs <= cutMs)
    const known = early(usualOutput(all, FIRST))
    expect(known.length).toBeGreaterThan(1000)
    expect(usualOutput(early(all), FIRST)).toEqual(known)
    const loud = all.flatMap((one) => [
      one.knownAtMs <= cutMs ? one : { ...one, hours: Array.from(one.hours, (mw) => 3 * mw) },
      { ...one, hours: new Float64Array(HOURS).fill(1e6), knownAtMs: cutMs + 1 },
    ])
    expect(early(usualOutput(loud, FIRST))).toEqual(known)
  })

  it('starts from the day before if the last day is incomplete, and ends a day earlier', () => {
    const all = metered(() => 1000)
    const gap = all.map((one, at) =>
      at === DAYS - 1 ? { ...one, hours: [Number.NaN, ...Array.from(one.hours).slice(1)] } : one,
    )
    expect(lastOf(gap).every(({ hours }) => Array.from(hours).every(Number.isFinite))).toBe(true)
    const late = usualOutput(all.slice(0, -1), FIRST)
    expect(Math.max(...late.map(({ day }) => day))).toBe(FIRST + DAYS - 2 + USUAL_REACH_DAYS)
  })

  it('requires a year of metered data, and is the same if only later days are requested', () => {
    const all = metered((at) => 1000 + at)
    expect(usualOutput(all.slice(0, 360), FIRST)).toEqual([])
    const laterThan900 = (from: number) => usualOutput(all, from).filter(({ day }) => day >= FIRST + 900)
    expect(laterThan900(FIRST + 900)).toEqual(laterThan900(FIRST))
  })
})
