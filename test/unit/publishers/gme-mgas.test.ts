import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readAll } from '../../support/parsed-documents.ts'
import { needsSharedData, sharedData } from '../../support/shared-data.ts'

interface Trade {
  session: string
  product: string
  mean?: string
}

function gasDocument(...trades: Trade[]): string {
  const rows = trades.map(({ session, product, mean }) => {
    const traded = mean === undefined ? '' : `<PrezzoMedio>${mean}</PrezzoMedio><Volumi>2400.00000</Volumi>`
    return `<negoziazione_continua><DataSessione>${session}</DataSessione><NomeProdotto>${product}</NomeProdotto>${traded}<PrezzoControllo>30.0000</PrezzoControllo></negoziazione_continua>`
  })
  return `<?xml version="1.0" standalone="yes"?>\n<NewDataSet>${rows.join('')}</NewDataSet>`
}

describe('the PSV of a gas day', () => {
  it('comes from the session of the day before, not from earlier ones', async () => {
    const { documents, dailyPrices } = await readAll(
      gasDocument(
        { session: '20260112', product: 'MGP-2026-01-15', mean: '31.1' },
        { session: '20260113', product: 'MGP-2026-01-15', mean: '31.2' },
        { session: '20260114', product: 'MGP-2026-01-15', mean: '31.3' },
      ),
    )
    expect(documents[0]).toMatchObject({ kind: 'gme-gas-xml', source: 'gme-mgas' })
    expect(dailyPrices).toMatchObject([{ asset: 'PSV', price: 31.3, faults: [] }])
    expect(String(dailyPrices[0]?.day)).toBe('2026-01-15')
  })

  it('has a fault if two rows of a session differ', async () => {
    const row = { session: '20260114', product: 'MGP-2026-01-15' }
    const { dailyPrices } = await readAll(gasDocument({ ...row, mean: '31.3' }, { ...row, mean: '31.4' }))
    expect(dailyPrices).toMatchObject([{ faults: [{ code: 'duplicate_interval' }] }])
  })
})

describe("the day in a gas file's name", () => {
  const session = gasDocument({ session: '20260114', product: 'MGP-2026-01-15', mean: '31.3' })

  it.each([
    ['is that of the session', '20260114MGPGASSintesiScambio.xml', []],
    ['reveals a file of another session', '20260115MGPGASSintesiScambio.xml', [{ code: 'wrong_day' }]],
  ])('%s', async (_, name, faults) => {
    const { dailyPrices } = await readAll(session, { name })
    expect(dailyPrices).toMatchObject([{ price: 31.3, faults }])
  })
})

const XML = sharedData('raw/gme/20210901MGPGASSintesiScambio.xml')
const HISTORY = sharedData('gas/gme_mgpgas_psv_daily_2020-10_2024-09.csv')

describe.skipIf(!XML || !HISTORY)(needsSharedData('a real session'), () => {
  it("has the price of the operator's history for the day of delivery", async () => {
    const name = '20210901MGPGASSintesiScambio.xml'
    const { items, dailyPrices } = await readAll(await readFile(XML ?? ''), { name })
    const history = await readAll(await readFile(HISTORY ?? ''))
    expect(items).toHaveLength(1)
    const published = history.dailyPrices.find(({ day }) => day.equals('2021-09-02'))?.price ?? Number.NaN
    expect(dailyPrices).toMatchObject([{ asset: 'PSV', price: 51.211733, faults: [] }])
    expect(dailyPrices[0]?.day.equals('2021-09-02')).toBe(true)
    expect(dailyPrices[0]?.price).toBeCloseTo(published, 3)
  })
})

const PAGES = sharedData('raw/gme/dnn_GetGasEsitiMGAS_20260425-20260501_bundle.json')

describe.skipIf(!PAGES)(needsSharedData('real sessions from the public pages'), () => {
  it('yield the price of the next day, one per session', async () => {
    const { documents, dailyPrices, faults } = await readAll(await readFile(PAGES ?? ''))
    expect(documents).toMatchObject([{ kind: 'gme-gas-json', source: 'gme-mgas' }])
    expect(faults).toEqual([])
    expect(dailyPrices.map(({ day, price }) => `${day} ${price}`)).toEqual([
      '2026-04-26 45.683533',
      '2026-04-27 45.927204',
      '2026-04-28 44.916728',
      '2026-04-29 44.681579',
      '2026-04-30 46.372689',
      '2026-05-01 45.677123',
    ])
  })
})

const YEARS = ['2020-2021', '2021-2022', '2022-2023', '2023-2024']
const WORKBOOKS = YEARS.map((year) => sharedData(`raw/gme/Annotermico_${year}_09.xlsx`))

describe.skipIf(WORKBOOKS.includes(undefined) || !HISTORY)(needsSharedData('real gas years'), () => {
  it("equal the operator's history, day by day", async () => {
    const read = await Promise.all(WORKBOOKS.map(async (file) => readAll(await readFile(file ?? ''))))
    const days = read.flatMap(({ dailyPrices }) => dailyPrices)
    const history = await readAll(await readFile(HISTORY ?? ''))
    expect(read.flatMap(({ faults }) => faults)).toEqual([])
    expect(days).toHaveLength(1_461)
    const shown = (prices: typeof days) => prices.map(({ day, price }) => `${day} ${price?.toFixed(3)}`)
    expect(shown(days)).toEqual(shown(history.dailyPrices))
  })
})
