import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readAll } from '../../support/parsed-documents.ts'
import { needsSharedData, sharedData } from '../../support/shared-data.ts'

const NAME = { name: 'ttf-day-ahead.json' }
const HEADER = ['tradeDate', 'settlPx', 'totVolTrdd', 'grossOpenInt', 'netOpenInt', 'deliveryDay', 'currency', 'uOM']

type Row = [tradeDate: string, price: unknown, deliveryDay: unknown, currency?: string]

function table(...rows: Row[]): string {
  const data = rows.map(([trade, price, delivery, currency = 'EUR']) => {
    return [trade, price, 120, null, null, delivery, currency, 'MWh']
  })
  return JSON.stringify({ header: HEADER, data })
}

describe('a table of settlements', () => {
  it('yields the price of each delivery day, and nothing for days without a price', async () => {
    const text = table(
      ['2026-01-14', 31.2, '2026-01-15'],
      ['2026-01-15', '31.45', '2026-01-16'],
      ['2026-01-16', null, '2026-01-17'],
      ['2026-01-17', '', '2026-01-18'],
    )
    const { documents, dailyPrices, items } = await readAll(text, NAME)
    expect(documents[0]).toMatchObject({ kind: 'eex-table-json', source: 'eex-ttf' })
    expect(items).toHaveLength(2)
    expect(dailyPrices.map(({ asset, day, price }) => [asset, String(day), price])).toEqual([
      ['TTF', '2026-01-15', 31.2],
      ['TTF', '2026-01-16', 31.45],
    ])
  })

  it('is read by column name, in any order', async () => {
    const text = JSON.stringify({
      data: [['MWh', '2026-01-15', 31.2, 'EUR']],
      header: ['uOM', 'deliveryDay', 'settlPx', 'currency'],
    })
    const { dailyPrices } = await readAll(text, NAME)
    expect(dailyPrices).toMatchObject([{ price: 31.2, faults: [] }])
  })

  it('is assigned to TTF only if its file name or the caller says so', async () => {
    const text = table(['2026-01-14', 31.2, '2026-01-15'])
    expect((await readAll(text, { name: 'table-data.json' })).faults).toMatchObject([
      { detail: expect.stringMatching(/--asset ttf/) },
    ])
    expect((await readAll(text, { ...NAME, asset: 'psv' })).dailyPrices).toEqual([])
    expect((await readAll(text, { name: 'table-data.json', asset: 'ttf' })).dailyPrices).toHaveLength(1)
  })

  it.each([
    [
      'without delivery days, as of futures',
      table(['2026-01-14', 31, '']).replace('deliveryDay', 'maturity'),
      /deliveryDay/,
    ],
    ['in another currency', table(['2026-01-14', 31.2, '2026-01-15', 'GBP']), /"GBP" per "MWh"/],
    ['with a row of fewer cells', '{"header": ["settlPx"], "data": [[]]}', /has no column deliveryDay/],
    ['whose row has a cell too few', table(['2026-01-14', 31.2, '2026-01-15']).replace('null,null', 'null'), /8 cells/],
    ['without rows', table(), /holds no row/],
    ['cut off', table(['2026-01-14', 31.2, '2026-01-15']).slice(0, -20), /cut off or not JSON/],
  ])('%s is refused', async (_, text, detail) => {
    const { items, faults } = await readAll(text, NAME)
    expect(items).toHaveLength(1)
    expect(faults).toMatchObject([{ code: 'unreadable_document', detail: expect.stringMatching(detail) }])
  })

  it('with an impossible date or a non-numeric price loses only those days', async () => {
    const text = table(
      ['2026-01-14', 31.2, '2026-02-30'],
      ['2026-01-14', 'closed', '2026-01-15'],
      ['2026-01-15', 31.4, '2026-01-16'],
    )
    const { dailyPrices, faults } = await readAll(text, NAME)
    expect(faults).toMatchObject([{ code: 'impossible_date' }])
    expect(dailyPrices).toMatchObject([{ faults: [{ code: 'not_a_number' }] }, { price: 31.4, faults: [] }])
  })
})

const CAPTURED = sharedData('raw/eex/TTF_NGP_15_Mins.csv')

describe.skipIf(!CAPTURED)(needsSharedData('the real file'), () => {
  it('has one final price', async () => {
    const { items, dailyPrices } = await readAll(await readFile(CAPTURED ?? ''))
    expect(items).toHaveLength(1)
    expect(String(dailyPrices[0]?.day)).toBe('2026-01-17')
    expect(dailyPrices[0]).toMatchObject({ asset: 'TTF', price: 42.809, faults: [] })
  })
})
