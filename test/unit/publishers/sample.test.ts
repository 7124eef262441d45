import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { intervalsInMarketDay, type MarketDay } from '../../../src/market/market-day.ts'
import { MARKET_ZONES, STORED_ZONES, type ZoneCode } from '../../../src/market/zones.ts'
import type { SampleSeries } from '../../../src/publishers/sample/publications.ts'
import * as sample from '../../../src/publishers/sample/publications.ts'
import { nationalHolidays } from '../../support/national-holidays.ts'
import { daysBetween } from '../../support/prices.ts'

const HOLIDAYS = new Set(nationalHolidays(2020, 2030))
const publicationFor = (series: SampleSeries, day: MarketDay) => sample.publicationFor(series, day, HOLIDAYS)
const publicationsBetween = (after: Temporal.Instant, until: Temporal.Instant) =>
  sample.publicationsBetween(after, until, HOLIDAYS, sample.marketsStart(NOW))

/** 13:00 in Rome, when tomorrow is published; the three years before contain six change days, three of them in quarter-hours. */
const NOW = Temporal.Instant.from('2026-11-17T12:00Z')
const history = [...publicationsBetween(sample.historyStart(NOW), NOW)]
const powerDays = history.filter(({ series, isCorrection }) => series === 'day-ahead' && !isCorrection)
const corrections = history.filter(({ isCorrection }) => isCorrection)

describe('the three years of history', () => {
  it('cover three years up to tomorrow, in order and without gaps in PUN and PSV', () => {
    expect(powerDays.map(({ day }) => String(day))).toEqual(daysBetween('2023-11-17', '2026-11-18'))
    expect(daysOf('PSV')).toEqual(daysBetween('2023-11-16', '2026-11-16'))
    const instants = history.map(({ publishedAt }) => publishedAt.epochMilliseconds)
    expect(instants).toEqual([...new Set(instants)].sort((a, b) => a - b))
  })

  it('have all intervals of every zone: hours before 1 October 2025, then quarter-hours', () => {
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

  it('have prices with at most 2 decimals within the market limits, none exactly 0 like a gap, and no faults', () => {
    const prices = history.flatMap(allPrices)
    const wrong = prices.filter((price) => !(price > -500 && price < 4000) || price !== Number(price.toFixed(2)))
    expect(wrong).toEqual([])
    expect(prices).not.toContain(0)
    expect(prices.length).toBeGreaterThan(400_000)
    expect(history.flatMap(({ items }) => items.flatMap(({ faults }) => faults))).toEqual([])
  })
})

describe('sample prices', () => {
  it('keep the PUN between the lowest and the highest zone in every interval', () => {
    for (const publication of powerDays) {
      const zones = [...MARKET_ZONES, 'cala' as const].map((zone) => zonePrices(publication, zone))
      const outside = zonePrices(publication, 'nazionale').filter((pun, i) => {
        const all = zones.map((prices) => prices[i] ?? Number.NaN)
        return !(pun >= Math.min(...all) && pun <= Math.max(...all))
      })
      expect(outside).toEqual([])
    }
  })

  it('are lower on a holiday than on the same weekday before and after', () => {
    const [before, holiday, after] = ['2025-04-18', '2025-04-25', '2025-05-02'].map((day) =>
      mean(powerOf(day, 'nazionale')),
    ) as [number, number, number]
    expect(holiday).toBeLessThan(Math.min(before, after))
  })

  it('have power means of 20 to 200 €/MWh, and PSV 1 to 3 €/MWh above TTF', () => {
    const means = powerDays.map((publication) => mean(zonePrices(publication, 'nazionale')))
    expect(Math.min(...means)).toBeGreaterThan(20)
    expect(Math.max(...means)).toBeLessThan(200)
    const spreads = daysOf('TTF').map((day) => dailyPrice('PSV', day) - dailyPrice('TTF', day))
    expect(Math.min(...spreads)).toBeGreaterThan(1)
    expect(Math.max(...spreads)).toBeLessThan(3)
  })
})

describe('simulated incidents', () => {
  it('include a few late days, for the PUN and its zones together', () => {
    const late = powerDays.filter(({ publishedAt }) => publishedAt.toZonedDateTimeISO('Europe/Rome').hour > 13)
    expect(late.length).toBeGreaterThan(powerDays.length / 80)
    expect(late.length).toBeLessThan(powerDays.length / 20)
  })

  it('include a few same-day corrections, with lower afternoon prices in every zone', () => {
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
  it('gives the same values in any order of requests', () => {
    const asked = history.filter(({ isCorrection }, i) => i % 7 === 0 && !isCorrection)
    const shuffled = [...asked].sort((a, b) => String(a.day).slice(-2).localeCompare(String(b.day).slice(-2)))
    for (const { series, day } of shuffled.reverse()) publicationFor(series, day)
    for (const publication of asked) {
      expect(JSON.stringify(publicationFor(publication.series, publication.day))).toBe(JSON.stringify(publication))
    }
  })

  it('preserves the values stored by earlier starts of the service', () => {
    const hash = createHash('sha256')
    for (const publication of history) hash.update(JSON.stringify(publication))
    expect(hash.digest('hex')).toBe('4f3601b059188dd668602c57035524ec012001964d908363fec2ec4f83fce245')
  })
})

describe('the publication calendar', () => {
  it.each([
    ['day-ahead', '2026-01-15', '2026-01-14T11:55:00Z'],
    ['day-ahead', '2026-03-29', '2026-03-28T11:55:00Z'],
    ['day-ahead', '2026-03-30', '2026-03-29T10:55:00Z'], // summer time began that morning
    ['day-ahead', '2026-10-25', '2026-10-24T10:55:00Z'],
    ['day-ahead', '2026-10-26', '2026-10-25T11:55:00Z'], // summer time ended that morning
    ['PSV', '2026-03-29', '2026-03-29T17:00:00Z'],
    ['PSV', '2026-10-25', '2026-10-25T18:00:00Z'],
    ['TTF', '2026-01-14', '2026-01-14T17:00:00Z'],
    ['Brent', '2026-07-14', '2026-07-14T18:00:00Z'],
    ['CO2', '2026-07-14', '2026-07-14T09:15:00Z'],
  ] as const)('publishes %s of %s at %s', (series, day, instant) => {
    expect(String(publicationFor(series, Temporal.PlainDate.from(day))?.publishedAt)).toBe(instant)
  })
})

describe('publications in a time interval', () => {
  const knownInstants = history.slice(-200).map(({ publishedAt }) => publishedAt)
  const anyInstant = fc.oneof(
    fc.constantFrom(...knownInstants),
    fc.integer({ min: 0, max: 60 * 24 * 40 }).map((minutes) => NOW.subtract({ minutes })),
  )

  it('exclude its start and include its end', () => {
    const at = Temporal.Instant.from('2026-01-14T11:55:00Z')
    expect(keys(publicationsBetween(at.subtract({ seconds: 1 }), at))).toEqual(['day-ahead 2026-01-15'])
    expect(keys(publicationsBetween(at, at.add({ seconds: 1 })))).toEqual([])
    expect(keys(publicationsBetween(at, at))).toEqual([])
  })

  it('are the same for the whole interval as for its parts', () => {
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

function keys(publications: Iterable<sample.Publication>): string[] {
  return [...publications].map(({ series, day }) => `${series} ${day}`)
}

function daysOf(series: SampleSeries): string[] {
  return history.filter((publication) => publication.series === series).map(({ day }) => String(day))
}

function zonePrices(publication: sample.Publication, zone: ZoneCode): number[] {
  const found = publication.items.find((item) => item.kind === 'zone-day' && item.zone === zone)
  return found?.kind === 'zone-day' ? found.prices.map(known) : []
}

function powerOf(day: string, zone: ZoneCode): number[] {
  const publication = publicationFor('day-ahead', Temporal.PlainDate.from(day))
  return publication ? zonePrices(publication, zone) : []
}

function allPrices({ items }: sample.Publication): number[] {
  return items
    .flatMap((item) => (item.kind === 'daily-price' ? [item.price] : item.kind === 'zone-day' ? item.prices : []))
    .map(known)
}

function dailyPrice(series: SampleSeries, day: string): number {
  const publication = publicationFor(series, Temporal.PlainDate.from(day))
  return known(publication && allPrices(publication)[0])
}

function known(price: number | undefined): number {
  if (price === undefined) throw new Error('a sample price is missing')
  return price
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
