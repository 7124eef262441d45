import { describe, expect, it } from 'vitest'
import { checkFee, checkPrices } from '../../../src/publishers/arera-offers/values.ts'
import { offersPublishedAt, offersPublishedBetween, sampleOffers } from '../../../src/publishers/sample/offers.ts'

const day = (text: string) => Temporal.PlainDate.from(text)
const instant = (text: string) => Temporal.Instant.from(text)
const listsOf = (after: string | undefined, until: string) =>
  [...offersPublishedBetween(after === undefined ? undefined : day(after), instant(until))].map(
    (list) => `${list.dataset} ${list.day}`,
  )

describe('synthetic offers', () => {
  it('are deterministic, at least 100 of each kind, and mostly unchanged from the day before', () => {
    const today = sampleOffers('luce', day('2026-11-21'))
    expect(sampleOffers('luce', day('2026-11-21'))).toEqual(today)
    const kinds = Object.groupBy(today.offers, ({ priceType, customer }) => `${priceType} ${customer}`)
    expect(Object.entries(kinds).map(([kind, offers]) => [kind, offers?.length])).toEqual([
      ['fisso domestico', 150],
      ['fisso business', 100],
      ['variabile domestico', 150],
      ['variabile business', 100],
    ])
    const yesterday = new Set(sampleOffers('luce', day('2026-11-20')).offers.map((offer) => JSON.stringify(offer)))
    const kept = today.offers.filter((offer) => yesterday.has(JSON.stringify(offer)))
    expect(kept.length / today.offers.length).toBeGreaterThan(0.93)
    expect(kept.length).toBeLessThan(today.offers.length)
  })

  it.each(['2026-03-29', '2026-10-25', '2026-11-21', '2028-02-29'])('are valid and plausible on %s', (on) => {
    for (const commodity of ['luce', 'gas'] as const) {
      const { offers } = sampleOffers(commodity, day(on))
      expect(new Set(offers.map(({ code }) => code)).size).toBe(offers.length)
      for (const {
        priceType,
        statedPrices,
        statedUnit,
        fixedFeeEurYear,
        customer,
        validFrom,
        validTo,
        code,
      } of offers) {
        checkPrices(statedPrices, priceType, statedUnit)
        checkFee(fixedFeeEurYear ?? Number.NaN, customer)
        expect(validFrom && Temporal.PlainDate.compare(validFrom, on)).toBeLessThanOrEqual(0)
        expect(validTo && Temporal.PlainDate.compare(validTo, on)).toBeGreaterThanOrEqual(0)
        expect(code).toMatch(/^SAMPLE-/)
      }
    }
  })
})

describe('the publication of synthetic offers', () => {
  it('is at 01:05 in Rome, on the change days too', () => {
    expect(offersPublishedAt(day('2026-03-29')).toString()).toBe('2026-03-29T00:05:00Z')
    expect(offersPublishedAt(day('2026-10-25')).toString()).toBe('2026-10-24T23:05:00Z')
    expect(listsOf('2026-10-24', '2026-10-24T23:04:59Z')).toEqual([])
    expect(listsOf('2026-10-24', '2026-10-24T23:05:00Z')).toEqual(['free-power 2026-10-25', 'free-gas 2026-10-25'])
  })

  it('starts with a month of days, and resumes where it stopped', () => {
    const first = listsOf(undefined, '2026-11-21T12:00:00Z')
    expect(first).toHaveLength(62)
    expect([first[0], first.at(-1)]).toEqual(['free-power 2026-10-22', 'free-gas 2026-11-21'])
    expect(listsOf('2026-11-19', '2026-11-21T12:00:00Z')).toHaveLength(4)
    expect(listsOf('2026-11-21', '2026-11-21T12:00:00Z')).toEqual([])
  })
})
