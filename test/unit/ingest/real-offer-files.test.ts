/** Real files of the offers portal, mostly excerpts: their content is plausible, and printed. */
import { describe, expect, it } from 'vitest'
import { readDocuments } from '../../../src/ingest/read-documents.ts'
import type { OfferDay } from '../../../src/publishers/arera-offers/offer.ts'
import type { Parsed } from '../../../src/publishers/observations.ts'
import { needsSharedData, sharedData } from '../../support/shared-data.ts'

async function read(name: string, day?: string): Promise<Parsed[]> {
  const items: Parsed[] = []
  const options = day === undefined ? {} : { day: Temporal.PlainDate.from(day) }
  for await (const { parsed } of readDocuments(sharedData(`raw/arera/${name}`) ?? name, options))
    items.push(...(await Array.fromAsync(parsed)))
  return items
}

async function readLists(name: string, day?: string): Promise<OfferDay[]> {
  return (await read(name, day)).filter((item) => item.kind === 'offer-day')
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Prints and returns the median price or spread of single-priced offers of a kind. */
function medianOf({ dataset, day, offers }: OfferDay, priceType: string, customer: string): number {
  const prices = offers.flatMap((offer) =>
    offer.priceType === priceType && offer.customer === customer ? offer.pricesEurKwh.slice(0, 1) : [],
  )
  const result = median(prices)
  console.log(`${dataset} ${day} ${priceType} ${customer}: ${prices.length} offers, median ${result.toFixed(4)} €/kWh`)
  return result
}

describe.skipIf(!sharedData('raw/arera'))(needsSharedData('real files of the offers portal'), () => {
  it('yield a full day of plausible electricity offers on standard terms', async () => {
    const [list] = await readLists('PO_Offerte_E_PLACET_20251113.csv')
    if (!list) throw new Error('no list')
    expect(list).toMatchObject({ dataset: 'placet-power', faults: [] })
    expect(list.offers.length).toBeGreaterThan(850)
    expect(Object.fromEntries(list.excluded.map(({ reason, offers }) => [reason, offers]))).toEqual({
      absurd_price: 55,
      absurd_fee: 2,
    })
    const fixed = medianOf(list, 'fisso', 'domestico')
    const spread = medianOf(list, 'variabile', 'domestico')
    // The PUN was near 0.12 €/kWh. Every supplier must offer standard terms, so many price them high.
    expect(fixed).toBeGreaterThan(0.12)
    expect(fixed).toBeLessThan(0.5)
    expect(spread).toBeGreaterThan(0.01)
    expect(spread).toBeLessThan(0.1)
  })

  it('yield every free-market offer of the excerpt, with its price or spread', async () => {
    const [list] = await readLists('PO_Offerte_E_MLIBERO_excerpt_20260928.xml')
    expect(list).toMatchObject({ dataset: 'free-power', excluded: [], faults: [] })
    const stated = list?.offers.map(({ priceType, bands, pricesEurKwh, fixedFeeEurYear }) => [
      priceType,
      bands,
      pricesEurKwh[0],
      fixedFeeEurYear,
    ])
    expect(stated).toEqual([
      ['variabile', 'single', 0.017963, 108],
      ['variabile', 'f1-f2-f3', 0.011, 102],
      ['fisso', 'f1-f23', 0.1728, 135],
      ['variabile', 'f1-f2-f3', 0.023, 117], // spread and balancing cost
      ['variabile', 'f1-f2-f3', 0.0145, 90],
      ['variabile', 'f1-f2-f3', 0.02, 110],
      ['variabile', 'single', 0.011, 0],
      ['fisso', 'single', 0.208, 156],
      ['fisso', 'single', 0.1774, 99],
    ])
  })

  it('yield a list per commodity, and need --day if the name has no day', async () => {
    const lists = await readLists('PO_Offerte_MLIBERO_excerpt_anonymised_2026-05-01.xml')
    expect(lists.map(({ dataset, day, offers }) => [dataset, day.toString(), offers.length])).toEqual([
      ['free-power', '2026-05-01', 1],
      ['free-gas', '2026-05-01', 1],
    ])
    const name = 'PO_Offerte_MLIBERO_excerpt_octopus_2025-11.xml'
    expect(await read(name)).toMatchObject([
      { kind: 'document-fault', fault: { detail: expect.stringContaining('--day') } },
    ])
    expect((await readLists(name, '2025-11-01')).map(({ offers }) => offers.length)).toEqual([1, 1])
  })

  it('yield parameters, and monthly averages of the indices', async () => {
    expect(await read('PO_Parametri_Mercato_Libero_E_20251121.csv')).toMatchObject([
      { kind: 'published-values', series: 'parameters-free-power', faults: [] },
    ])
    const [months] = await read('prezzi_storici_indici_2020-01_2024-12.csv')
    if (months?.kind !== 'published-values') throw new Error('no months')
    expect(months.faults).toEqual([])
    const pun = months.values.filter(({ name }) => name === 'PUN')
    expect(pun).toHaveLength(60)
    expect(Math.max(...pun.map(({ value }) => value))).toBeCloseTo(0.543, 2) // August 2022
    const pfor = months.values.filter(({ name }) => name === 'Pfor')
    expect(pfor.at(-1)?.validOn.toString()).toBe('2022-09-01')
  })
})
