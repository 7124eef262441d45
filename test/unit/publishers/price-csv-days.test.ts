import { describe, expect, it } from 'vitest'
import { readAll } from '../../support/parsed-documents.ts'

describe('rows of days', () => {
  it('with text instead of a price yield the day with a fault', async () => {
    const { dailyPrices } = await readAll('date,ttf\n2026-01-14,closed\n2026-01-15,30.5\n')
    expect(dailyPrices[0]).toMatchObject({
      price: undefined,
      faults: [{ code: 'not_a_number', place: 'line 2, column ttf', detail: '"closed" is not a number' }],
    })
    expect(dailyPrices[1]).toMatchObject({ price: 30.5, faults: [] })
  })

  it('with both decimal marks have a fault where the mark changes', async () => {
    const { dailyPrices } = await readAll('date;ttf\n2026-01-14;30,5\n2026-01-15;30.5\n')
    expect(dailyPrices.map(({ faults }) => faults.map(({ code }) => code))).toEqual([[], ['mixed_decimal_marks']])
  })

  it('with an impossible date are reported with line and column', async () => {
    const { faults, dailyPrices } = await readAll('date,ttf\n2026-02-30,30.5\n14/01/2026,31\n2026-01-15,32\n')
    expect(faults.map(({ code, place }) => `${code} ${place}`)).toEqual([
      'impossible_date line 2, column date',
      'impossible_date line 3, column date',
    ])
    expect(stated(dailyPrices)).toEqual(['TTF 2026-01-15 32'])
  })

  it('that repeat a day have a fault if the prices differ', async () => {
    const { dailyPrices } = await readAll('date,ttf\n2026-01-14,30\n2026-01-14,30\n2026-01-15,31\n2026-01-15,32\n')
    expect(dailyPrices.map(({ faults }) => faults.map(({ code }) => code))).toEqual([[], ['duplicate_interval']])
  })
})

describe('CO2 auctions', () => {
  const header = 'auction_date,auction_name,contract,status,auction_price_eur_tco2,auction_volume_tco2\n'

  it('have no daily price without a volume', async () => {
    const { dailyPrices } = await readAll(`${header}2026-01-12,EU,T3PA,successful,70,\n`)
    expect(dailyPrices[0]).toMatchObject({ price: undefined, faults: [{ code: 'not_a_number' }] })
  })

  it('are omitted for the day at which the document is truncated', async () => {
    const { dailyPrices, faults } = await readAll(
      `${header}2026-01-12,EU,T3PA,successful,70,100\n2026-01-13,EU,T3PA,successful,71,100\n2026-01-13,PL,T3PA`,
    )
    expect(faults).toHaveLength(1)
    expect(stated(dailyPrices)).toEqual(['CO2 2026-01-12 70'])
  })
})

function stated(dailyPrices: { asset: string; day: unknown; price: number | undefined }[]): string[] {
  return dailyPrices.map(({ asset, day, price }) => `${asset} ${day} ${price}`)
}
