import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { intervalsInMarketDay } from '../../../src/market/market-day.ts'
import { STORED_ZONES } from '../../../src/market/zones.ts'
import type { Publication } from '../../../src/publishers/sample/publications.ts'
import {
  allPrices,
  corrections,
  dailyPrice,
  daysOf,
  history,
  NOW,
  powerDays,
  powerOf,
  publicationFor,
  publicationsBetween,
  zonePrices,
} from './sample-history.ts'

/** `CO2` of the auction on 13 January 2026, `PUN` of the first hours of 30 September 2025. */
const PINNED = { TTF: 40.84, PSV: 43.1, Brent: 82.67, CO2: 70.54, PUN: [89.86, 87.54, 86.6, 85.69] }

describe('the three years of history', () => {
  it('reach from three years before the clock to tomorrow, in order and without a gap in PUN and PSV', () => {
    expect(powerDays.map(({ day }) => String(day))).toEqual(datesFrom('2023-11-17', '2026-11-18'))
    expect(daysOf('PSV')).toEqual(datesFrom('2023-11-16', '2026-11-16'))
    const instants = history.map(({ publishedAt }) => publishedAt.epochMilliseconds)
    expect(instants).toEqual([...new Set(instants)].sort((a, b) => a - b))
  })

  it('hold every zone of every day with all its intervals: hours before 1 October 2025, quarter-hours from then on', () => {
    for (const { day, items } of powerDays) {
      const resolution = String(day) < '2025-10-01' ? 60 : 15
      const shapes = items.map(
        (item) => item.kind === 'zone-day' && [item.zone, item.resolutionMinutes, item.prices.length],
      )
      const count = intervalsInMarketDay(day, resolution)
      expect(shapes).toEqual(STORED_ZONES.map((zone) => [zone, resolution, count]))
    }
  })

  it.each([
    ['2024-03-31', 23],
    ['2024-10-27', 25],
    ['2025-03-30', 23],
    ['2025-09-30', 24],
    ['2025-10-01', 96],
    ['2025-10-26', 100],
    ['2026-03-29', 92],
    ['2026-10-25', 100],
  ])('on %s have %i intervals', (day, count) => {
    expect(powerOf(day, 'nazionale')).toHaveLength(count)
  })

  it('hold finite prices of at most 2 decimals within the market limits, and not one fault', () => {
    const prices = history.flatMap(allPrices)
    const wrong = prices.filter((price) => !(price > -500 && price < 4000) || price !== Number(price.toFixed(2)))
    expect(wrong).toEqual([])
    expect(prices.length).toBeGreaterThan(400_000)
    expect(history.flatMap(({ items }) => items.flatMap(({ faults }) => faults))).toEqual([])
  })

  it('hold no exact zero, which readers would take for a gap', () => {
    expect(history.flatMap(allPrices).filter((price) => price === 0)).toEqual([])
  })
})

describe('incidents', () => {
  it('a few days come out late, the PUN and its zones together', () => {
    const late = powerDays.filter(({ publishedAt }) => publishedAt.toZonedDateTimeISO('Europe/Rome').hour > 13)
    expect(late.length).toBeGreaterThan(powerDays.length / 80)
    expect(late.length).toBeLessThan(powerDays.length / 20)
  })

  it('a few days are corrected on the day itself: the afternoon becomes cheaper in every zone, the rest stays', () => {
    expect(corrections.length).toBeGreaterThan(5)
    expect(corrections.length).toBeLessThan(40)
    for (const correction of corrections) {
      const first = powerDays.find(({ day }) => day.equals(correction.day))
      if (first === undefined) continue // published before the history begins
      expect(Temporal.Instant.compare(first.publishedAt, correction.publishedAt)).toBe(-1)
      for (const zone of STORED_ZONES) {
        const [before, after] = [zonePrices(first, zone), zonePrices(correction, zone)]
        const changed = before.flatMap((price, i) => (price === after[i] ? [] : [i]))
        expect(changed.length).toBe(before.length > 25 ? 16 : 4)
        expect(changed.every((i) => (after[i] as number) < (before[i] as number))).toBe(true)
      }
    }
  })
})

describe('determinism', () => {
  it('gives the same values again, in any order of asking', () => {
    const asked = history.filter(({ isCorrection }, i) => i % 7 === 0 && !isCorrection)
    const shuffled = [...asked].sort((a, b) => String(a.day).slice(-2).localeCompare(String(b.day).slice(-2)))
    for (const { series, day } of shuffled.reverse()) publicationFor(series, day)
    for (const publication of asked) {
      expect(JSON.stringify(publicationFor(publication.series, publication.day))).toBe(JSON.stringify(publication))
    }
  })

  it('never changes what an earlier start of the service has stored', () => {
    expect(dailyPrice('TTF', '2026-01-14')).toBe(PINNED.TTF)
    expect(dailyPrice('PSV', '2026-01-14')).toBe(PINNED.PSV)
    expect(dailyPrice('Brent', '2026-01-14')).toBe(PINNED.Brent)
    expect(dailyPrice('CO2', '2026-01-13')).toBe(PINNED.CO2)
    expect(powerOf('2025-09-30', 'nazionale').slice(0, 4)).toEqual(PINNED.PUN)
  })
})

describe('the publication calendar', () => {
  it.each([
    ['day-ahead', '2026-01-15', '2026-01-14T11:55:00Z'],
    ['day-ahead', '2026-03-29', '2026-03-28T11:55:00Z'],
    ['day-ahead', '2026-03-30', '2026-03-29T10:55:00Z'], // summer time has begun that morning
    ['day-ahead', '2026-10-25', '2026-10-24T10:55:00Z'],
    ['day-ahead', '2026-10-26', '2026-10-25T11:55:00Z'], // summer time has ended that morning
    ['PSV', '2026-03-29', '2026-03-29T17:00:00Z'],
    ['PSV', '2026-10-25', '2026-10-25T18:00:00Z'],
    ['TTF', '2026-01-14', '2026-01-14T17:00:00Z'],
    ['Brent', '2026-07-14', '2026-07-14T18:00:00Z'],
    ['CO2', '2026-07-14', '2026-07-14T09:15:00Z'],
  ] as const)('brings %s of %s at %s', (series, day, instant) => {
    expect(String(publicationFor(series, Temporal.PlainDate.from(day))?.publishedAt)).toBe(instant)
  })

  it.each([
    ['TTF', '2026-01-17'], // Saturday
    ['TTF', '2026-01-18'], // Sunday
    ['TTF', '2026-01-01'],
    ['TTF', '2026-04-03'], // Good Friday
    ['Brent', '2026-04-06'], // Easter Monday
    ['Brent', '2025-12-25'],
    ['Brent', '2025-12-26'],
    ['CO2', '2026-01-14'], // Wednesday
    ['CO2', '2026-04-03'],
    ['CO2', '2025-12-16'],
    ['CO2', '2026-01-06'],
  ] as const)('brings no %s for %s', (series, day) => {
    expect(publicationFor(series, Temporal.PlainDate.from(day))).toBeUndefined()
  })

  it.each([
    ['TTF', '2025-04-25'], // a national holiday, but no trading holiday
    ['TTF', '2026-01-14'], // Wednesday
    ['CO2', '2025-12-15'],
    ['CO2', '2026-01-08'],
    ['PSV', '2025-12-25'],
    ['PSV', '2026-01-18'], // Sunday
    ['day-ahead', '2026-01-01'],
  ] as const)('brings %s for %s', (series, day) => {
    expect(publicationFor(series, Temporal.PlainDate.from(day))?.items.length).toBeGreaterThan(0)
  })
})

describe('what is published in an interval of time', () => {
  const knownInstants = history.slice(-200).map(({ publishedAt }) => publishedAt)
  const anyInstant = fc.oneof(
    fc.constantFrom(...knownInstants),
    fc.integer({ min: 0, max: 60 * 24 * 40 }).map((minutes) => NOW.subtract({ minutes })),
  )

  it('is after its start, and up to and including its end', () => {
    const at = Temporal.Instant.from('2026-01-14T11:55:00Z')
    expect(keys(publicationsBetween(at.subtract({ seconds: 1 }), at))).toEqual(['day-ahead 2026-01-15'])
    expect(keys(publicationsBetween(at, at.add({ seconds: 1 })))).toEqual([])
    expect(keys(publicationsBetween(at, at))).toEqual([])
  })

  it('is the same in one piece as in two', () => {
    fc.assert(
      fc.property(fc.tuple(anyInstant, anyInstant, anyInstant), (instants) => {
        const [a, b, c] = instants.sort(Temporal.Instant.compare)
        const inTwo = [...keys(publicationsBetween(a, b)), ...keys(publicationsBetween(b, c))]
        expect(inTwo).toEqual(keys(publicationsBetween(a, c)))
      }),
      { numRuns: 40 },
    )
  })
})

function keys(publications: Iterable<Publication>): string[] {
  return [...publications].map(({ series, day }) => `${series} ${day}`)
}

function datesFrom(first: string, last: string): string[] {
  const start = Temporal.PlainDate.from(first)
  return Array.from({ length: start.until(last).days + 1 }, (_, i) => String(start.add({ days: i })))
}
