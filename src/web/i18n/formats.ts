/** Numbers and dates as people read them: `118,43` and `21 nov 2026` in Italian, `118.43` and `21 Nov 2026` in English. */
import { MARKET_TIME_ZONE, toRomeIso } from '../../market/market-day.ts'
import { type Language, LOCALES } from './language.ts'

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }
const WEEKDAY: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' }
const WEEKDAY_OF_YEAR: Intl.DateTimeFormatOptions = { ...WEEKDAY, year: 'numeric' }
const DAY_OF_WEEK: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', timeZone: 'UTC' }
const LONG_DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }
const SHORT_DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', timeZone: 'UTC' }
const SHORT_MONTH: Intl.DateTimeFormatOptions = { month: 'short', timeZone: 'UTC' }
const MONTH: Intl.DateTimeFormatOptions = { month: 'long', year: 'numeric', timeZone: 'UTC' }
const INSTANT: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: MARKET_TIME_ZONE,
}
const HOUR_MS = 3_600_000
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', timeZone: MARKET_TIME_ZONE }

export class Formats {
  readonly #locale: string
  readonly #year: number | undefined
  readonly #numbers = new Map<string, Intl.NumberFormat>()
  readonly #dates = new Map<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>()

  /** Dates outside `year` include their year. */
  constructor(language: Language, year?: number) {
    this.#locale = LOCALES[language]
    this.#year = year
  }

  /** A number with exactly the given number of decimals, grouped from 10,000 on. */
  number(value: number, decimals = 2): string {
    return this.#number(value, exactly(decimals)).replace('-', '−')
  }

  /** A number with its sign: `+1.20`, `−0.53`; zero has none. */
  signed(value: number): string {
    return this.#number(value, { ...exactly(2), signDisplay: 'exceptZero' }).replace('-', '−')
  }

  /** A share: 0.815 is `81.5%`. */
  percent(share: number, decimals = 1): string {
    return this.#number(share, { style: 'percent', ...exactly(decimals) })
  }

  signedPercent(share: number): string {
    return this.#number(share, { style: 'percent', ...exactly(1), signDisplay: 'exceptZero' }).replace('-', '−')
  }

  /** A market day, `2026-11-21`: `21 Nov 2026`. */
  day(date: string): string {
    return this.#date(DAY, Date.parse(date))
  }

  /** `21 November 2026` */
  longDay(date: string): string {
    return this.#date(LONG_DAY, Date.parse(date))
  }

  /** `Saturday 21 November` */
  weekday(date: string): string {
    return this.#isCurrentYear(date)
      ? this.#date(WEEKDAY, Date.parse(date))
      : this.#date(WEEKDAY_OF_YEAR, Date.parse(date))
  }

  /** `Sat 21` */
  dayOfWeek(date: string): string {
    return this.#date(DAY_OF_WEEK, Date.parse(date))
  }

  /** `21 Nov` */
  shortDay(date: string): string {
    return this.#isCurrentYear(date) ? this.#date(SHORT_DAY, Date.parse(date)) : this.day(date)
  }

  /** `Nov` */
  shortMonth(month: string): string {
    return this.#date(SHORT_MONTH, Date.parse(month))
  }

  /** A calendar month, `2026-11`: `November 2026` */
  month(month: string): string {
    return this.#date(MONTH, Date.parse(month))
  }

  /** An instant, in Rome's time: `21 Nov 2026, 12:57`. An hour that occurs twice has its offset: `25 Oct 2026, 02:00 (+01:00)`. */
  instant(iso: string): string {
    const text = this.#date(INSTANT, Date.parse(iso))
    if (!iso.startsWith('-10-', 4)) return text // only a day of October has such an hour
    const others = [-HOUR_MS, HOUR_MS].map((step) => this.#date(INSTANT, Date.parse(iso) + step))
    return others.includes(text) ? `${text} (${toRomeIso(Temporal.Instant.from(iso)).slice(-6)})` : text
  }

  /** The clock in Rome: `02:15`. */
  clock(iso: string): string {
    return this.#date(CLOCK, Date.parse(iso))
  }

  #isCurrentYear(date: string): boolean {
    return this.#year === undefined || Number(date.slice(0, 4)) === this.#year
  }

  #number(value: number, options: Intl.NumberFormatOptions): string {
    const key = JSON.stringify(options)
    let format = this.#numbers.get(key)
    if (format === undefined) {
      format = new Intl.NumberFormat(this.#locale, { useGrouping: 'min2', ...options })
      this.#numbers.set(key, format)
    }
    return format.format(value)
  }

  #date(options: Intl.DateTimeFormatOptions, epochMs: number): string {
    let format = this.#dates.get(options)
    if (format === undefined) {
      format = new Intl.DateTimeFormat(this.#locale, options)
      this.#dates.set(options, format)
    }
    return format.format(epochMs)
  }
}

function exactly(decimals: number): Intl.NumberFormatOptions {
  return { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
}

const FORMATS = new Map<string, Formats>()

/** `year`: the current one. */
export function formatsOf(language: Language, year?: number): Formats {
  const key = `${language} ${year}`
  const found = FORMATS.get(key) ?? new Formats(language, year)
  FORMATS.set(key, found)
  return found
}
