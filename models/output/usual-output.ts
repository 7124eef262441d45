/**
 * Wind and solar output of days without a weather forecast: the usual output of the season, scaled to today's plants, plus the share of the last
 * metered day's deviation that such deviations have kept over the last year.
 */
import type { DayNumber } from '../calendar.ts'
import { HOURS } from '../hourly/history.ts'
import type { HoursRevision } from '../hourly/record.ts'

/** Days after the last metered one: a forecast of eight days starts two or three days after it. */
export const USUAL_REACH_DAYS = 11
/** A year of whole weeks. */
const YEAR_DAYS = 364
const YEARS = [1, 2]
/** Days on either side that make up a season. */
const SEASON_HALF_DAYS = 10
const SEASON_DAYS_MIN = 15
const GROWTH_DAYS = 91
const GROWTH_DAYS_MIN = 60
const PERSISTENCE_DAYS = 364

/** Output by day from `from` on, MW, each known when the metered day it starts from was; none before a year has been metered. */
export function usualOutput(metered: readonly HoursRevision[], from: DayNumber): HoursRevision[] {
  const past = new MeteredPast()
  let newest = Number.NEGATIVE_INFINITY
  return [...metered]
    .sort((a, b) => a.knownAtMs - b.knownAtMs || a.day - b.day)
    .flatMap(({ day, hours, knownAtMs }) => {
      past.add(day, hours)
      if (day <= newest) return []
      newest = day
      past.measure(day)
      if (day + USUAL_REACH_DAYS < from) return []
      return past.after(day, knownAtMs)
    })
}

/** Computes its hours when they are read: each metered day gives eleven such days, and hardly more than one of them is used. */
class UsualDay implements HoursRevision {
  readonly day: DayNumber
  readonly knownAtMs: number
  readonly season: ArrayLike<number>
  readonly factor: number

  constructor(day: DayNumber, knownAtMs: number, season: ArrayLike<number>, factor: number) {
    this.day = day
    this.knownAtMs = knownAtMs
    this.season = season
    this.factor = factor
  }

  get hours(): Float64Array {
    return Float64Array.from(this.season).map((mw) => this.factor * mw)
  }
}

interface Day {
  hours: ArrayLike<number>
  mean: number
}

/** Metered output so far. */
class MeteredPast {
  readonly #days = new Map<DayNumber, Day>()
  readonly #seasons = new Map<DayNumber, Day | undefined>()
  /** Deviation of each day from its season, as a share of it, indexed by days since `#firstDay`; NaN where unknown. */
  readonly #deviations: number[] = []
  #firstDay: DayNumber | undefined

  add(day: DayNumber, hours: ArrayLike<number>): void {
    if (Array.from(hours).every(Number.isFinite)) this.#days.set(day, dayOf(hours))
  }

  /** Records the deviation of the newest day from its season. */
  measure(newest: DayNumber): void {
    const [own, season, growth] = [this.#days.get(newest), this.#season(newest), this.#growth(newest)]
    if (!own || !season || growth === undefined) return
    this.#firstDay ??= newest
    while (this.#deviations.length < newest - this.#firstDay) this.#deviations.push(Number.NaN)
    this.#deviations.push(own.mean / (growth * season.mean) - 1)
  }

  /** Returns the usual days after the newest one. */
  after(newest: DayNumber, knownAtMs: number): UsualDay[] {
    const growth = this.#growth(newest)
    if (growth === undefined) return []
    const distance = this.#deviations[newest - (this.#firstDay ?? newest)] ?? Number.NaN
    return Array.from({ length: USUAL_REACH_DAYS }, (_, i) => i + 1).flatMap((ahead) => {
      const usual = this.#season(newest + ahead)
      if (!usual) return []
      const left = Number.isNaN(distance) ? 0 : this.#persistence(newest, ahead) * distance
      const factor = Math.max(0, growth * (1 + left))
      return [new UsualDay(newest + ahead, knownAtMs, usual.hours, factor)]
    })
  }

  /** Mean of the days around the same date in the last two years; undefined if too few were metered. */
  #season(day: DayNumber): Day | undefined {
    if (!this.#seasons.has(day)) this.#seasons.set(day, this.#meanSeason(day))
    return this.#seasons.get(day)
  }

  #meanSeason(day: DayNumber): Day | undefined {
    const sums = new Float64Array(HOURS)
    let count = 0
    for (const years of YEARS) {
      for (let offset = -SEASON_HALF_DAYS; offset <= SEASON_HALF_DAYS; offset++) {
        const own = this.#days.get(day - years * YEAR_DAYS + offset)
        if (!own) continue
        count++
        for (let hour = 0; hour < HOURS; hour++) sums[hour] = (sums[hour] as number) + (own.hours[hour] as number)
      }
    }
    return count < SEASON_DAYS_MIN ? undefined : dayOf(sums.map((sum) => sum / count))
  }

  /** Output of the last 91 days over the usual output of their season. */
  #growth(newest: DayNumber): number | undefined {
    let [sum, usual, count] = [0, 0, 0]
    for (let day = newest; day > newest - GROWTH_DAYS; day--) {
      const [own, season] = [this.#days.get(day), this.#season(day)]
      if (!own || !season) continue
      sum += own.mean
      usual += season.mean
      count++
    }
    return count < GROWTH_DAYS_MIN || usual <= 0 ? undefined : sum / usual
  }

  /** Share of a day's deviation that was left `ahead` days later, from 0 to 1. */
  #persistence(newest: DayNumber, ahead: number): number {
    const last = newest - (this.#firstDay ?? newest)
    let products = 0
    let squares = 0
    for (let at = Math.min(last, this.#deviations.length - 1); at > last - PERSISTENCE_DAYS && at >= ahead; at--) {
      const later = this.#deviations[at] as number
      const before = this.#deviations[at - ahead] as number
      if (Number.isNaN(later + before)) continue
      products += later * before
      squares += before * before
    }
    return squares === 0 ? 0 : Math.max(0, Math.min(1, products / squares))
  }
}

function dayOf(hours: ArrayLike<number>): Day {
  let sum = 0
  for (let hour = 0; hour < HOURS; hour++) sum += hours[hour] as number
  return { hours, mean: sum / HOURS }
}
