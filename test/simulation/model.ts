/**
 * The expected state of a service, given what publishers have stated and when it was read: every version of every value, and the values
 * derived from them. It shares no code with the service; days are delimited by Temporal's own arithmetic.
 */

export const ZONES = ['nazionale', 'nord', 'cnor', 'csud', 'sud', 'sici', 'sard', 'cala'] as const
export type Zone = (typeof ZONES)[number]
const QUARTERS_FROM = '2025-10-01'
const ROME = 'Europe/Rome'
const RANK: Record<string, number> = { 'gme-mgp': 0, entsoe: 1 }

export interface Version {
  price: number
  source: string
  /** Epoch milliseconds. */
  from: number
  to: number | undefined
}

interface ZoneDay {
  minutes: 15 | 60
  source: string
  /** Undefined for a gap. */
  intervals: (Version | undefined)[]
  replaced: { version: Version; minutes: 15 | 60; index: number }[]
}

export interface PublishedDay {
  zone: Zone
  day: string
  minutes: 15 | 60
  prices: (number | undefined)[]
}

export const dayOf = (ms: number): string =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(ROME).toPlainDate().toString()
export const plusDays = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString()
export const startOf = (day: string): number =>
  Temporal.PlainDate.from(day).toZonedDateTime(ROME).startOfDay().epochMilliseconds
export const minutesOf = (day: string): number => (startOf(plusDays(day, 1)) - startOf(day)) / 60_000
export const mtuMinutes = (day: string): 15 | 60 => (day < QUARTERS_FROM ? 60 : 15)
export const sixDecimals = (price: number): number => Math.round(price * 1e6) / 1e6
const mean = (prices: readonly number[]): number => prices.reduce((sum, price) => sum + price, 0) / prices.length

/** Returns the hours of a day; quarter-hours are averaged. */
export function hoursOf(prices: readonly number[], minutes: 15 | 60): number[] {
  const perHour = 60 / minutes
  return Array.from({ length: prices.length / perHour }, (_, hour) =>
    mean(prices.slice(hour * perHour, (hour + 1) * perHour)),
  )
}

export class Model {
  readonly zoneDays = new Map<string, ZoneDay>()
  /** Versions of the gas price, by day. */
  readonly gas = new Map<string, { now: Version; replaced: Version[] }>()
  /** Refused days, such as `zone:nord 2026-10-25`. */
  readonly refused = new Set<string>()

  /**
   * Stores a day of a zone as far as the replacement rules allow. Returns undefined if nothing changes, and `corrected` if values from
   * the same source are replaced.
   */
  store({ zone, day, minutes, prices }: PublishedDay, source: string, atMs: number): 'added' | 'corrected' | undefined {
    const key = `${zone} ${day}`
    const held = this.zoneDays.get(key)
    const version = (price: number | undefined) =>
      price === undefined ? undefined : { price, source, from: atMs, to: undefined }
    if (held === undefined) {
      this.zoneDays.set(key, { minutes, source, intervals: prices.map(version), replaced: [] })
      return 'added'
    }
    const isComplete = !held.intervals.includes(undefined)
    const rank = RANK[source] as number
    const heldRank = Math.max(...held.intervals.map((one) => RANK[one?.source ?? source] as number))
    if (held.minutes === minutes && (rank <= heldRank || !isComplete)) {
      let outcome: 'added' | 'corrected' | undefined
      for (const [index, price] of prices.entries()) {
        const old = held.intervals[index]
        if (price === undefined || (old?.price === price && old.source === source)) continue
        if (old !== undefined) held.replaced.push({ version: { ...old, to: atMs }, minutes, index })
        held.intervals[index] = version(price)
        if (old?.source === source) outcome = 'corrected'
        else outcome ??= 'added'
      }
      return outcome
    }
    const isFiner = rank === heldRank && minutes < held.minutes
    if (isComplete && rank >= heldRank && !isFiner) return undefined
    for (const [index, old] of held.intervals.entries())
      if (old) held.replaced.push({ version: { ...old, to: atMs }, minutes: held.minutes, index })
    held.minutes = minutes
    held.intervals = prices.map(version)
    return 'added'
  }

  storeGas(day: string, price: number, atMs: number): boolean {
    const held = this.gas.get(day)
    if (held?.now.price === price) return false
    const now = { price, source: 'gme-mgas', from: atMs, to: undefined }
    this.gas.set(day, { now, replaced: held ? [...held.replaced, { ...held.now, to: atMs }] : [] })
    return true
  }

  /** Returns the prices of a whole day, now or as known at `asOfMs`; undefined if one is missing. */
  prices(zone: Zone, day: string, asOfMs?: number): { prices: number[]; minutes: 15 | 60 } | undefined {
    const known = this.#versionsAt(zone, day, asOfMs)
    const minutes = known[0]?.minutes
    if (minutes === undefined || known.length !== minutesOf(day) / minutes) return undefined
    const prices = known.toSorted((a, b) => a.index - b.index).map(({ version }) => version.price)
    return { prices, minutes }
  }

  /** Returns the complete hours, even of a day with gaps; undefined if there are none. */
  completeHours(zone: Zone, day: string, asOfMs?: number): number[] | undefined {
    const known = this.#versionsAt(zone, day, asOfMs)
    const minutes = known[0]?.minutes ?? 60
    const hourOf = (index: number) => Math.floor((index * minutes) / 60)
    const counts = Map.groupBy(known, ({ index }) => hourOf(index))
    const prices = known
      .filter(({ index }) => counts.get(hourOf(index))?.length === 60 / minutes)
      .toSorted((a, b) => a.index - b.index)
      .map(({ version }) => version.price)
    return prices.length === 0 ? undefined : hoursOf(prices, minutes)
  }

  #versionsAt(zone: Zone, day: string, asOfMs: number | undefined) {
    const held = this.zoneDays.get(`${zone} ${day}`)
    if (held === undefined) return []
    const now = held.intervals.flatMap((version, index) => (version ? [{ version, index, minutes: held.minutes }] : []))
    if (asOfMs === undefined) return now
    return [...now, ...held.replaced].filter(
      ({ version: { from, to } }) => from <= asOfMs && (to === undefined || to > asOfMs),
    )
  }

  hours(zone: Zone, day: string, asOfMs?: number): number[] | undefined {
    const known = this.prices(zone, day, asOfMs)
    return known && hoursOf(known.prices, known.minutes)
  }

  mean(zone: Zone, day: string, asOfMs?: number): number | undefined {
    const known = this.prices(zone, day, asOfMs)
    return known && mean(known.prices)
  }

  /** Returns the rows of the file of all zones. */
  fileLines(): string[] {
    return [...this.zoneDays].flatMap(([key, { minutes, intervals }]) => {
      const [zone, day = ''] = key.split(' ')
      return intervals.flatMap((one, index) => {
        const starts = new Date(startOf(day) + index * minutes * 60_000).toISOString().replace('.000', '')
        return one ? [`${zone} ${starts} ${minutes} ${sixDecimals(one.price)}`] : []
      })
    })
  }

  /** Returns every stored value as a line, current and replaced ones. */
  lines(): { intervals: string[]; replaced: string[]; gas: string[]; gasReplaced: string[] } {
    const lines = {
      intervals: [] as string[],
      replaced: [] as string[],
      gas: [] as string[],
      gasReplaced: [] as string[],
    }
    for (const [key, { minutes, intervals, replaced }] of this.zoneDays) {
      for (const [index, one] of intervals.entries())
        if (one) lines.intervals.push(`${key} #${index + 1} ${minutes} ${one.price} ${one.source} ${one.from}`)
      for (const { version, minutes, index } of replaced)
        lines.replaced.push(
          `${key} #${index + 1} ${minutes} ${version.price} ${version.source} ${version.from} ${version.to}`,
        )
    }
    for (const [day, { now, replaced }] of this.gas) {
      lines.gas.push(`${day} ${now.price} ${now.from}`)
      for (const one of replaced) lines.gasReplaced.push(`${day} ${one.price} ${one.from} ${one.to}`)
    }
    return lines
  }
}

/** Whether a stated day must not be stored. */
export function isRefused({ day, minutes, prices }: PublishedDay): boolean {
  return (
    prices.length !== minutesOf(day) / minutes ||
    prices.some((price) => price === undefined || price === 0 || price > 4_000)
  )
}

const EASTERS: Record<string, string> = { '2024': '2024-04-01', '2025': '2025-04-21', '2026': '2026-04-06' }
const HOLIDAYS = ['01-01', '01-06', '04-25', '05-01', '06-02', '08-15', '11-01', '12-08', '12-25', '12-26']

/** Returns the tariff band of the hour that starts then, by the regulator's rules. */
export function bandOf(startMs: number): 'F1' | 'F2' | 'F3' {
  const local = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO(ROME)
  const day = local.toPlainDate().toString()
  const isHoliday =
    HOLIDAYS.includes(day.slice(5)) || EASTERS[day.slice(0, 4)] === day || (day >= '2026' && day.slice(5) === '10-04')
  if (local.dayOfWeek === 7 || isHoliday || local.hour < 7 || local.hour >= 23) return 'F3'
  if (local.dayOfWeek === 6) return 'F2'
  return local.hour >= 8 && local.hour < 19 ? 'F1' : 'F2'
}
