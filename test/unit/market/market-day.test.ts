import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clockHoursOf,
  hoursInMarketDay,
  intervalStart,
  intervalsInMarketDay,
  type MarketDay,
  marketDayOf,
  parseMarketDay,
  RESOLUTIONS,
  startOfMarketDay,
  toRomeIso,
} from '../../../src/market/market-day.ts'

const FIRST_YEAR = 2004
const LAST_YEAR = 2035
const HOUR_MS = 3_600_000

const everyDay = daysFrom(Temporal.PlainDate.from(`${FIRST_YEAR}-01-01`), Temporal.PlainDate.from(`${LAST_YEAR}-12-31`))
const years = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, i) => FIRST_YEAR + i)
const springDays = years.map((year) => lastSunday(year, 3))
const autumnDays = years.map((year) => lastSunday(year, 10))
const changeDays = [...springDays, ...autumnDays]

const anyDay = fc.constantFrom(...everyDay)
const anyResolution = fc.constantFrom(...RESOLUTIONS)
const anyInstant = fc
  .integer({ min: epochMs(`${FIRST_YEAR}-01-01T00:00Z`), max: epochMs(`${LAST_YEAR}-12-31T00:00Z`) })
  .map((ms) => Temporal.Instant.fromEpochMilliseconds(ms))

it.each([
  [23, [0, 1, 3, 4]],
  [24, [0, 1, 2, 3]],
  [25, [0, 1, 2, 2]],
])('the clock hours of a day with %i hours begin with %j and end with 23', (count, first) => {
  const hours = clockHoursOf(count)
  expect(hours.slice(0, 4)).toEqual(first)
  expect([hours.length, hours.at(-1)]).toEqual([count, 23])
})

describe('every market day of 2004-2035', () => {
  it('has 23 hours on the last Sunday of March, 25 on that of October, 24 otherwise', () => {
    const spring = new Set(springDays.map(String))
    const autumn = new Set(autumnDays.map(String))
    const wrong = everyDay.filter((day) => {
      const date = String(day)
      const expected = spring.has(date) ? 23 : autumn.has(date) ? 25 : 24
      return hoursInMarketDay(day) !== expected
    })
    expect(wrong.map(String)).toEqual([])
    expect(everyDay).toHaveLength(11_688)
  })

  it('begins at local midnight by the EU rule for summer time, and ends where the next begins', () => {
    const wrong = everyDay.filter((day) => {
      const start = startOfMarketDay(day).epochMilliseconds
      const next = startOfMarketDay(day.add({ days: 1 })).epochMilliseconds
      const offsetHours = isSummerTime(start) ? 2 : 1
      const startsAtMidnight = start === Date.UTC(day.year, day.month - 1, day.day) - offsetHours * HOUR_MS
      return !startsAtMidnight || next - start !== hoursInMarketDay(day) * HOUR_MS
    })
    expect(wrong.map(String)).toEqual([])
  })

  it('has four quarter-hours and two half-hours per hour', () => {
    expect(changeDays.map((day) => intervalsInMarketDay(day, 15))).toEqual([
      ...springDays.map(() => 92),
      ...autumnDays.map(() => 100),
    ])
    fc.assert(
      fc.property(anyDay, anyResolution, (day, resolution) => {
        expect(intervalsInMarketDay(day, resolution)).toBe((hoursInMarketDay(day) * 60) / resolution)
      }),
    )
  })
})

describe('intervals of a market day', () => {
  it('follow one another without gap or overlap up to the next day, and belong to the day', () => {
    const expectContiguous = (day: MarketDay, resolution: (typeof RESOLUTIONS)[number]) => {
      const count = intervalsInMarketDay(day, resolution)
      const instants = Array.from({ length: count }, (_, i) => intervalStart(day, i + 1, resolution))
      const starts = instants.map(({ epochMilliseconds }) => epochMilliseconds)
      const ends = [...starts.slice(1), startOfMarketDay(day.add({ days: 1 })).epochMilliseconds]
      expect(new Set(instants.map((instant) => String(marketDayOf(instant))))).toEqual(new Set([String(day)]))
      expect(starts[0]).toBe(startOfMarketDay(day).epochMilliseconds)
      expect(new Set(ends.map((end, i) => end - (starts[i] ?? Number.NaN)))).toEqual(new Set([resolution * 60_000]))
    }
    for (const day of changeDays) for (const resolution of RESOLUTIONS) expectContiguous(day, resolution)
    fc.assert(fc.property(anyDay, anyResolution, expectContiguous))
  })
})

describe('the market day of an instant', () => {
  it.each([
    ['2026-03-28T22:59:59.999Z', '2026-03-28'],
    ['2026-03-28T23:00:00Z', '2026-03-29'], // still winter time at midnight
    ['2026-03-29T21:59:59.999Z', '2026-03-29'],
    ['2026-03-29T22:00:00Z', '2026-03-30'],
    ['2026-10-24T22:00:00Z', '2026-10-25'], // still summer time at midnight
    ['2026-10-25T22:59:59.999Z', '2026-10-25'],
    ['2026-10-25T23:00:00Z', '2026-10-26'],
    ['2025-12-31T23:00:00Z', '2026-01-01'],
  ])('%s is %s', (instant, day) => {
    expect(String(marketDayOf(Temporal.Instant.from(instant)))).toBe(day)
  })

  it('begins at or before the instant, and ends after it', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        const day = marketDayOf(instant)
        expect(instant.since(startOfMarketDay(day)).sign).toBeGreaterThanOrEqual(0)
        expect(instant.until(startOfMarketDay(day.add({ days: 1 }))).sign).toBe(1)
      }),
      { numRuns: 500 },
    )
  })
})

describe('time shown in Rome', () => {
  it.each([
    ['2026-01-14T23:00:00Z', '2026-01-15T00:00:00+01:00'],
    ['2026-07-14T22:00:00Z', '2026-07-15T00:00:00+02:00'],
    ['2026-03-29T00:59:59Z', '2026-03-29T01:59:59+01:00'],
    ['2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00'], // 02:00 does not exist
    ['2026-10-25T00:00:00Z', '2026-10-25T02:00:00+02:00'], // the first 02:00
    ['2026-10-25T01:00:00Z', '2026-10-25T02:00:00+01:00'], // the second 02:00
    ['2026-10-25T02:00:00Z', '2026-10-25T03:00:00+01:00'],
    ['2026-07-15T10:15:30.987Z', '2026-07-15T12:15:30+02:00'], // seconds are truncated, not rounded
  ])('%s is %s', (instant, shown) => {
    expect(toRomeIso(Temporal.Instant.from(instant))).toBe(shown)
  })

  it('has the offset in force and denotes the same instant', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        const shown = toRomeIso(instant)
        expect(shown.slice(-6)).toBe(isSummerTime(instant.epochMilliseconds) ? '+02:00' : '+01:00')
        expect(Date.parse(shown)).toBe(Math.floor(instant.epochMilliseconds / 1000) * 1000)
      }),
      { numRuns: 500 },
    )
  })

  it('shows the third and fourth hours of 25 October 2026 both at 02:00', () => {
    const day = Temporal.PlainDate.from('2026-10-25')
    const starts = [1, 2, 3, 4, 5, 25].map((ordinal) => toRomeIso(intervalStart(day, ordinal, 60)).slice(11))
    const hours = ['00:00:00+02:00', '01:00:00+02:00', '02:00:00+02:00', '02:00:00+01:00', '03:00:00+01:00']
    expect(starts).toEqual([...hours, '23:00:00+01:00'])
  })
})

describe('parsing a market day', () => {
  it('accepts every formatted day', () => {
    const unread = everyDay.filter((day) => !parseMarketDay(String(day))?.equals(day))
    expect(unread.map(String)).toEqual([])
  })

  it.each(['0001-01-01', '1999-12-31', '2024-02-29', '9999-12-31'])('accepts %s', (text) => {
    expect(String(parseMarketDay(text))).toBe(text)
  })

  it.each([
    ['nothing', ''],
    ['a space', ' '],
    ['a leading space', ' 2026-02-03'],
    ['a trailing space', '2026-02-03 '],
    ['a trailing line break', '2026-02-03\n'],
    ['30 February', '2026-02-30'],
    ['29 February of a common year', '2026-02-29'],
    ['29 February of a century', '2100-02-29'],
    ['31 April', '2026-04-31'],
    ['month 0', '2026-00-10'],
    ['month 13', '2026-13-01'],
    ['day 0', '2026-01-00'],
    ['day 32', '2026-01-32'],
    ['the year 0000', '0000-01-01'],
    ['single digits', '2026-2-3'],
    ['a two-digit year', '26-02-03'],
    ['a five-digit year', '12026-02-03'],
    ['a signed year', '+002026-02-03'],
    ['a negative year', '-002026-02-03'],
    ['no separators', '20260203'],
    ['slashes', '2026/02/03'],
    ['the Italian order', '03-02-2026'],
    ['a week date', '2026-W06-2'],
    ['a month only', '2026-02'],
    ['a time behind it', '2026-02-03T00:00'],
    ['a zone behind it', '2026-02-03[Europe/Rome]'],
    ['a calendar behind it', '2026-02-03[u-ca=iso8601]'],
    ['Arabic-Indic digits', '٢٠٢٦-٠٢-٠٣'],
    ['fullwidth digits', '２０２６-０２-０３'],
    ['a minus sign for a hyphen', '2026\u221202\u221203'],
    ['a zero-width space', '2026-02-03\u200b'],
    ['a word', 'today'],
    ['two days', '2026-02-03,2026-02-04'],
  ])('refuses %s', (_what, text) => {
    expect(parseMarketDay(text)).toBeUndefined()
  })

  it('never throws, and any accepted text formats back to itself', () => {
    const nearDates = fc
      .tuple(fc.nat(12_000), fc.nat(15), fc.nat(40))
      .map(([year, month, day]) => [pad(year, 4), pad(month, 2), pad(day, 2)].join('-'))
    const character = fc.nat(0xffff).map((code) => String.fromCharCode(code)) // fast-check's own arbitrary takes seconds to build
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: character }), nearDates), (text) => {
        const day = parseMarketDay(text)
        if (day) expect(String(day)).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })
})

/** Summer time as in the European directive, without the time-zone database: between the change Sundays, at 01:00 UTC. */
function isSummerTime(instantMs: number): boolean {
  const year = new Date(instantMs).getUTCFullYear()
  const changeMs = (month: number) => epochMs(`${lastSunday(year, month)}T01:00Z`)
  return instantMs >= changeMs(3) && instantMs < changeMs(10)
}

function lastSunday(year: number, month: number): MarketDay {
  const lastDay = Temporal.PlainDate.from({ year, month, day: 31 })
  return lastDay.subtract({ days: lastDay.dayOfWeek % 7 })
}

function daysFrom(first: MarketDay, last: MarketDay): MarketDay[] {
  return Array.from({ length: first.until(last).days + 1 }, (_, i) => first.add({ days: i }))
}

function epochMs(instant: string): number {
  return Temporal.Instant.from(instant).epochMilliseconds
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}
