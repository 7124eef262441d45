/** Three years of the synthetic publisher, and short ways to its prices, for the tests beside this file. */
import type { MarketDay } from '../../../src/market/market-day.ts'
import type { ZoneCode } from '../../../src/market/zones.ts'
import type { SampleSeries } from '../../../src/publishers/sample/publications.ts'
import * as sample from '../../../src/publishers/sample/publications.ts'
import { nationalHolidays } from '../../support/national-holidays.ts'

const HOLIDAYS = new Set(nationalHolidays(2020, 2030))
export const publicationFor = (series: SampleSeries, day: MarketDay) => sample.publicationFor(series, day, HOLIDAYS)
export const publicationsBetween = (after: Temporal.Instant, until: Temporal.Instant) =>
  sample.publicationsBetween(after, until, HOLIDAYS, sample.marketsStart(NOW))

/** 13:00 in Rome, when tomorrow is published; the three years before it hold six change days, three of them in quarter-hours. */
export const NOW = Temporal.Instant.from('2026-11-17T12:00Z')
export const history = [...publicationsBetween(sample.historyStart(NOW), NOW)]
export const powerDays = history.filter(({ series, isCorrection }) => series === 'day-ahead' && !isCorrection)
export const corrections = history.filter(({ isCorrection }) => isCorrection)

export function daysOf(series: SampleSeries): string[] {
  return history.filter((publication) => publication.series === series).map(({ day }) => String(day))
}

export function zonePrices(publication: sample.Publication, zone: ZoneCode): number[] {
  const found = publication.items.find((item) => item.kind === 'zone-day' && item.zone === zone)
  return found?.kind === 'zone-day' ? found.prices.map(known) : []
}

export function powerOf(day: string, zone: ZoneCode): number[] {
  const publication = publicationFor('day-ahead', Temporal.PlainDate.from(day))
  return publication ? zonePrices(publication, zone) : []
}

export function allPrices({ items }: sample.Publication): number[] {
  return items
    .flatMap((item) => (item.kind === 'daily-price' ? [item.price] : item.kind === 'zone-day' ? item.prices : []))
    .map(known)
}

export function pricesOf(series: SampleSeries): number[] {
  return history.filter((publication) => publication.series === series).flatMap(allPrices)
}

export function dailyPrice(series: SampleSeries, day: string): number {
  const publication = publicationFor(series, Temporal.PlainDate.from(day))
  return known(publication && allPrices(publication)[0])
}

function known(price: number | undefined): number {
  if (price === undefined) throw new Error('a sample price is missing')
  return price
}
