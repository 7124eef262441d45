import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Commodity } from '../../src/market/offers.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { type OfferCell, offerIndexStore, refreshOfferIndices, staleOfferDays } from '../../src/store/offer-indices.ts'
import { mean } from '../support/analyst-prices.ts'
import { databaseOfFile } from '../support/database.ts'
import { type SeedOffer, seedOffers } from '../support/offers.ts'
import { dailyPrice, daysBetween, storePrices, zoneDay } from '../support/prices.ts'
import { repetitions } from '../support/repetitions.ts'

const DAY = '2026-11-21'
const AT = Temporal.Instant.from('2026-11-21T01:00:00Z')

const { sql } = (await databaseOfFile()).database
beforeAll(async () => {
  // PUN: 100 €/MWh in October except 125 in the 25 hours of the 25th, 110 in November; PSV: 30 and 40.
  const days = daysBetween('2026-10-01', '2026-11-21')
  await storePrices(
    sql,
    days.flatMap((day) => [
      zoneDay('nazionale', day, 60, () => (day === '2026-10-25' ? 125 : day < '2026-11-01' ? 100 : 110)),
      dailyPrice('PSV', day, day < '2026-11-01' ? 30 : 40),
    ]),
  )
  await refreshAggregates(sql)
})
beforeEach(reset)

const compute = () => refreshOfferIndices(sql, AT)

/** Seeds one day's offers and returns the cells. */
async function cellsOf(
  offers: SeedOffer[],
  options: { day?: string; commodity?: Commodity } = {},
): Promise<OfferCell[]> {
  await seedOffers(sql, offers, { day: DAY, ...options })
  await compute()
  return offerIndexStore(sql).latestCells(Temporal.PlainDate.from(options.day ?? DAY))
}

async function reset(): Promise<void> {
  await sql`delete from offers`
  await sql`delete from offer_days`
  await refreshOfferIndices(sql, AT)
}

/** Fixed prices or spreads, from four suppliers in turn. */
const offersAt = (prices: number[], about: Partial<SeedOffer> = {}): SeedOffer[] =>
  prices.map((price, i) => ({ supplier: i % 4, code: `OFFER-${i}`, prices: price, ...about }))

/** October's 745 hours: 720 at 100 and 25 at 125 €/MWh. */
const OCTOBER_PUN = (720 * 100 + 25 * 125) / 745 / 1000

describe('twelve offers', () => {
  // Fixed: 0.10 0.11 0.12 0.12 0.13 0.14 0.15 0.16; one with F1 0.20, F23 0.10: 0.33 × 0.20 + 0.67 × 0.10 = 0.133;
  // one with F1, F2, F3 0.10 0.20 0.30: 0.033 + 0.062 + 0.108 = 0.203; an absurd 1.17 and a 0.
  // The median of the eleven above 0 is the sixth, 0.133; distances 0.033 0.023 0.013 0.013 0.003 0 0.007 0.017 0.027 0.07 1.037
  // have median 0.017; the limit 5 × 1.4826 × 0.017 = 0.126 excludes 1.17. Ten remain, sum 1.366.
  const TWELVE: SeedOffer[] = [
    ...offersAt([0.1, 0.11, 0.12, 0.12, 0.13, 0.14, 0.15, 0.16], { feeEurYear: 120 }),
    { supplier: 1, code: 'TWO-BANDS', prices: [0.2, 0.1], bands: 'f1-f23', feeEurYear: 60 },
    { supplier: 2, code: 'THREE-BANDS', prices: [0.1, 0.2, 0.3], bands: 'f1-f2-f3', feeEurYear: 240 },
    { supplier: 3, code: 'ABSURD', prices: 1.17, feeEurYear: 9999 },
    { supplier: 3, code: 'FREE', prices: 0 },
  ]

  it('have the index calculated by hand', async () => {
    const [cell, ...others] = await cellsOf(TWELVE)
    expect(others).toEqual([])
    expect(cell).toMatchObject({ day: DAY, commodity: 'luce', priceType: 'fisso', customer: 'domestico' })
    expect(cell).toMatchObject({
      offers: 10,
      excluded: 2,
      sourceIds: ['arera-offers'],
      referenceSourceIds: ['gme-mgp'],
    })
    expect(cell?.prices?.mean).toBeCloseTo(0.1366, 12)
    expect(cell?.prices?.median).toBeCloseTo((0.13 + 0.133) / 2, 12)
    expect(cell?.prices?.min).toBeCloseTo(0.1, 12)
    expect(cell?.prices?.max).toBeCloseTo(0.203, 12)
    expect(cell?.fees).toEqual({ p10: expect.closeTo(9.5, 12), median: 10, p90: expect.closeTo(11, 12) })
  })

  // 22 October to 20 November: in October 3 + 6 days at 100 and 1 at 125, then 20 at 110: (900 + 125 + 2200) / 30 = 107.5
  it('at fixed prices have spreads over the mean of the previous 30 days', async () => {
    const [cell] = await cellsOf(TWELVE)
    expect(cell?.reference).toEqual({
      asset: 'PUN',
      from: '2026-10-22',
      to: '2026-11-20',
      eurKwh: expect.closeTo(0.1075, 12),
    })
    expect(cell?.spreads?.mean).toBeCloseTo(0.1366 - 0.1075, 12)
    expect(cell?.spreads?.median).toBeCloseTo(0.1315 - 0.1075, 12)
    // sorted 0.10 0.11 0.12 0.12 0.13 0.133 0.14 0.15 0.16 0.203, positions 0.9 and 8.1
    expect(cell?.spreads?.p10).toBeCloseTo(0.109 - 0.1075, 12)
    expect(cell?.spreads?.p90).toBeCloseTo(0.16 + 0.1 * 0.043 - 0.1075, 12)
  })

  it('give the same figures in reverse order', async () => {
    const [once] = await cellsOf(TWELVE)
    await reset()
    const [reversed] = await cellsOf([...TWELVE].reverse())
    expect(reversed).toEqual(once)
  })
})

describe('variable offers', () => {
  it('are priced at the hourly mean of the last full month plus the spread', async () => {
    const [cell] = await cellsOf(offersAt([0.01, 0.012, 0.014, 0.016, 0.02], { priceType: 'variabile' }))
    expect(cell?.reference).toEqual({
      asset: 'PUN',
      from: '2026-10-01',
      to: '2026-10-31',
      eurKwh: expect.closeTo(OCTOBER_PUN, 15),
    })
    expect(cell?.spreads?.mean).toBeCloseTo(0.0144, 12)
    expect(cell?.prices?.mean).toBeCloseTo(OCTOBER_PUN + 0.0144, 12)
    expect(cell?.prices?.median).toBeCloseTo(OCTOBER_PUN + 0.014, 12)
  })

  it('of gas follow the PSV', async () => {
    const [cell] = await cellsOf(offersAt([0.001, 0.002, 0.003, 0.004, 0.005], { priceType: 'variabile' }), {
      commodity: 'gas',
    })
    expect(cell?.reference).toMatchObject({ asset: 'PSV', from: '2026-10-01', eurKwh: expect.closeTo(0.03, 15) })
    expect(cell?.prices?.median).toBeCloseTo(0.033, 12)
  })

  it('that follow another index are excluded and counted', async () => {
    const [cell] = await cellsOf(
      [
        ...offersAt([0.001, 0.002, 0.003, 0.004, 0.005], { priceType: 'variabile' }),
        { supplier: 9, code: 'TTF', priceType: 'variabile', reference: 'TTF', prices: 0.003 },
      ],
      { commodity: 'gas' },
    )
    expect(cell).toMatchObject({ offers: 5, excluded: 1 })
  })

  it('may have a negative spread, but not a price below zero', async () => {
    const [cell] = await cellsOf(offersAt([-0.2, -0.01, 0, 0.01, 0.02, 0.03], { priceType: 'variabile' }))
    expect(cell).toMatchObject({ offers: 5, excluded: 1 })
    expect(cell?.spreads?.p10).toBeCloseTo(-0.006, 12)
  })

  it('have spreads but no price if no full month is available', async () => {
    const [cell] = await cellsOf(offersAt([0.01, 0.02, 0.03, 0.04, 0.05], { priceType: 'variabile' }), {
      day: '2026-10-20',
    })
    expect(cell).toMatchObject({
      prices: undefined,
      reference: undefined,
      spreads: { median: expect.closeTo(0.03, 12) },
    })
  })
})

describe('the last full month', () => {
  const monthBefore = async (day: string) =>
    (await offerIndexStore(sql).lastFullMonth('luce', Temporal.PlainDate.from(day)))?.average.from

  it.each([
    ['the first day of the next month', '2026-11-01', '2026-10-01'],
    ['the last day of that month, which has not ended', '2026-10-31', undefined],
    ['three months later', '2027-01-31', '2026-10-01'],
    ['longer ago is too old', '2027-02-01', undefined],
  ])('on %s', async (_name, day, expected) => {
    expect(await monthBefore(day)).toBe(expected)
  })

  // The 31 days of March have 743 hours, 23 of them on the 29th.
  it('weights the short day of March by its hours', async () => {
    const days = daysBetween('2026-03-01', '2026-03-31')
    const prices = days.map((day) => zoneDay('nazionale', day, 60, () => (day === '2026-03-29' ? 50 : 100)))
    await storePrices(sql, prices)
    await refreshAggregates(sql)
    const found = await offerIndexStore(sql).lastFullMonth('luce', Temporal.PlainDate.from('2026-04-01'))
    expect(found).toEqual({
      average: {
        asset: 'PUN',
        from: '2026-03-01',
        to: '2026-03-31',
        eurKwh: expect.closeTo((720 * 100 + 23 * 50) / 743 / 1000, 15),
      },
      sourceIds: ['gme-mgp'],
    })
  })

  it('has no missing day', async () => {
    expect(await monthBefore('2026-12-15')).toBe('2026-10-01') // the data end on 21 November
  })
})

describe('cells', () => {
  it('with fewer than five offers or three suppliers are omitted', async () => {
    expect(await cellsOf(offersAt([0.1, 0.11, 0.12, 0.13]))).toEqual([])
    await reset()
    const twoSuppliers = offersAt([0.1, 0.11, 0.12, 0.13, 0.14, 0.15]).map((o, i) => ({ ...o, supplier: i % 2 }))
    expect(await cellsOf(twoSuppliers)).toEqual([])
    const [row] = await sql`select count(*)::integer as n from offer_index_days`
    expect(row?.n).toBe(0)
  })

  it('that are too small after the removal of outliers are omitted', async () => {
    expect(await cellsOf(offersAt([0.1, 0.11, 0.12, 0.13, 9]))).toEqual([])
  })

  it('are separated by customer and price type', async () => {
    const cells = await cellsOf([
      ...offersAt([0.1, 0.11, 0.12, 0.13, 0.14]).map((o) => ({ ...o, code: `H${o.code}` })),
      ...offersAt([0.2, 0.21, 0.22, 0.23, 0.24], { customer: 'business' }).map((o) => ({ ...o, code: `B${o.code}` })),
      ...offersAt([0.01, 0.02, 0.03, 0.04, 0.05], { priceType: 'variabile' }),
    ])
    expect(cells.map(({ customer, priceType, prices }) => [customer, priceType, prices?.median.toFixed(3)])).toEqual([
      ['domestico', 'fisso', '0.120'],
      ['business', 'fisso', '0.220'],
      ['domestico', 'variabile', (OCTOBER_PUN + 0.03).toFixed(3)],
    ])
  })

  it('contain only offers that can be signed on the day', async () => {
    const [cell] = await cellsOf([
      ...offersAt([0.1, 0.11, 0.12, 0.13, 0.14], { validFrom: DAY, validTo: DAY }),
      { supplier: 7, code: 'EXPIRED', prices: 0.12, validTo: '2026-11-20' },
      { supplier: 8, code: 'TO-COME', prices: 0.12, validFrom: '2026-11-22' },
    ])
    expect(cell).toMatchObject({ offers: 5, excluded: 0 })
  })

  it('of equal prices exclude outliers even if the median distance is 0', async () => {
    const [cell] = await cellsOf(offersAt([...Array(11).fill(0.12), 9]))
    expect(cell).toMatchObject({ offers: 11, excluded: 1, prices: { min: 0.12, max: 0.12 } })
  })
})

describe('figures of random offers', () => {
  const amount = (min: number, max: number) => fc.integer({ min: min * 1e6, max: max * 1e6 }).map((n) => n / 1e6)
  const offer = fc.record({
    supplier: fc.integer({ min: 1, max: 9 }),
    component: fc.oneof({ weight: 9, arbitrary: amount(0.05, 0.3) }, amount(-5, 5), fc.constant(0), fc.constant(0.12)),
    fee: fc.option(amount(0, 500), { nil: undefined }),
  })

  it.each(['fisso', 'variabile'] as const)(
    'at %s prices equal an independent calculation to 1e-9',
    async (priceType) => {
      await fc.assert(
        fc.asyncProperty(fc.array(offer, { minLength: 1, maxLength: 80 }), async (offers) => {
          await reset()
          const seeds = offers.map(
            ({ supplier, component, fee }, i): SeedOffer => ({
              supplier,
              code: `${i}`,
              priceType,
              prices: component,
              ...(fee !== undefined && { feeEurYear: fee }),
            }),
          )
          const [cell] = await cellsOf(seeds)
          const shift = priceType === 'variabile' ? OCTOBER_PUN : 0
          const kept = keptOffers(offers, shift)
          const isShown = kept.length >= 5 && new Set(kept.map(({ supplier }) => supplier)).size >= 3
          expect(cell !== undefined).toBe(isShown)
          if (cell === undefined) return
          const prices = kept.map(({ component }) => component + shift)
          const spreads =
            priceType === 'variabile' ? kept.map(({ component }) => component) : prices.map((p) => p - 0.1075)
          const fees = kept.flatMap(({ fee }) => (fee === undefined ? [] : [fee / 12]))
          expect([cell.offers, cell.excluded]).toEqual([kept.length, offers.length - kept.length])
          const near = (values: number[], p: number) => expect.closeTo(percentile(values, p), 9)
          expect(cell.prices).toEqual({
            mean: expect.closeTo(mean(prices), 9),
            median: near(prices, 0.5),
            min: near(prices, 0),
            max: near(prices, 1),
          })
          expect(cell.spreads).toEqual({
            mean: expect.closeTo(mean(spreads), 9),
            p10: near(spreads, 0.1),
            p25: near(spreads, 0.25),
            median: near(spreads, 0.5),
            p75: near(spreads, 0.75),
            p90: near(spreads, 0.9),
          })
          expect(cell.fees).toEqual(
            fees.length < 5 ? undefined : { p10: near(fees, 0.1), median: near(fees, 0.5), p90: near(fees, 0.9) },
          )
        }),
        { numRuns: repetitions(8, 25) },
      )
    },
  )
})

describe('the daily history', () => {
  const five = offersAt([0.1, 0.11, 0.12, 0.13, 0.14])

  it('contains each publication and has no stale day afterwards', async () => {
    await seedOffers(sql, five, { day: '2026-11-19' })
    await seedOffers(sql, offersAt([0.2, 0.21, 0.22, 0.23, 0.24]), { day: '2026-11-20' })
    await compute()
    expect(await staleOfferDays(sql)).toEqual([])
    const rows = await sql`select day, median_eur_kwh from offer_index_days order by day`
    expect(rows.map((row) => [row.day, row.median_eur_kwh])).toEqual([
      ['2026-11-19', 0.12],
      ['2026-11-20', 0.22],
    ])
  })

  it('is recomputed only for the day whose offers changed', async () => {
    for (const day of ['2026-11-19', '2026-11-20']) await seedOffers(sql, five, { day })
    await compute()
    await seedOffers(sql, offersAt([0.2, 0.21, 0.22, 0.23, 0.24]), { day: '2026-11-19' })
    expect(await staleOfferDays(sql)).toEqual([{ day: '2026-11-19', commodity: 'luce' }])
  })

  it('is recomputed for the days affected by a corrected price', async () => {
    for (const day of ['2026-11-05', '2026-11-21']) await seedOffers(sql, five, { day })
    await compute()
    await storePrices(sql, [zoneDay('nazionale', '2026-11-20', 60, () => 140)])
    await refreshAggregates(sql)
    expect(await staleOfferDays(sql)).toEqual([{ day: '2026-11-21', commodity: 'luce' }])
    await compute()
    const [cell] = await offerIndexStore(sql).latestCells(Temporal.PlainDate.from(DAY))
    expect(cell?.reference?.eurKwh).toBeCloseTo(0.1085, 12)
    await storePrices(sql, [zoneDay('nazionale', '2026-11-20', 60, () => 110)])
    await refreshAggregates(sql)
  })

  it('returns no cell for a day on which it is too small, rather than an older one', async () => {
    expect(await cellsOf(five, { day: '2026-11-20' })).toHaveLength(1)
    expect(await cellsOf(five.slice(0, 4), { day: '2026-11-21' })).toEqual([])
  })

  it('drops a day whose offers have been deleted', async () => {
    await cellsOf(five)
    await sql`delete from offer_days`
    await compute()
    expect(await offerIndexStore(sql).latestCells(Temporal.PlainDate.from(DAY))).toEqual([])
    expect(await staleOfferDays(sql)).toEqual([])
  })
})

/** The rules of src/web/docs/offer-indices.md, calculated independently of the SQL. */
interface ReferenceOffer {
  supplier: number
  /** Price of a fixed offer or spread of a variable one. */
  component: number
  fee?: number | undefined
}

/** Linear interpolation between the neighbours, type 7 of Hyndman and Fan. */
function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const position = (sorted.length - 1) * p
  const below = Math.floor(position)
  const [low = Number.NaN, high = low] = [sorted[below], sorted[below + 1]]
  return low + (position - below) * (high - low)
}

/** The offers that are not excluded; prices are `component + shift`. */
function keptOffers(offers: readonly ReferenceOffer[], shift: number): ReferenceOffer[] {
  const sound = offers.filter(({ component }) => Number.isFinite(component) && component + shift > 0)
  const components = sound.map(({ component }) => component)
  const centre = percentile(components, 0.5)
  const distances = components.map((component) => Math.abs(component - centre))
  const mad = 1.4826 * percentile(distances, 0.5)
  const scale = mad > 1e-9 ? mad : 1.2533 * mean(distances)
  return sound.filter((_, i) => (distances[i] ?? 0) <= 5 * scale + 1e-9)
}
