import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cell, hasLibreOffice, needsLibreOffice, openInLibreOffice } from '../support/libre-office.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { startTestService, type TestService } from '../support/service.ts'

const text = (value: string): Cell => ({ type: 'text', value })
const number = (value: number): Cell => ({ type: 'number', value })
const date = (value: string): Cell => ({ type: 'date', value })

describe.skipIf(!hasLibreOffice)(needsLibreOffice('CSV in a spreadsheet'), () => {
  let service: TestService
  let key: string
  beforeAll(async () => {
    service = await startTestService({ now: '2026-11-21T10:00:00Z' })
    await service.seed([
      zoneDay('nazionale', '2026-10-25', 60, (hour) => hour / 8),
      zoneDay('nazionale', '2026-11-20', 60, () => -10.005),
      zoneDay('nazionale', '2026-11-21', 60, () => 1118.43),
      dailyPrice('Brent', '2026-11-19', 68.91),
    ])
    key = (await service.issueKey('API')).key
  })
  afterAll(() => service.stop())

  /** Fetches like a spreadsheet, which cannot set headers. */
  const open = async (address: string) => openInLibreOffice((await service.ask(`${address}&key=${key}`)).text)

  it('has dates as dates and prices as numbers in a daily series', async () => {
    expect(await open('/v1/prices/pun/series?format=csv&from=2026-11-01')).toEqual([
      [text('asset'), text('unit'), text('date'), text('value')],
      [text('PUN'), text('€/MWh'), date('2026-11-20'), number(-10.005)],
      [text('PUN'), text('€/MWh'), date('2026-11-21'), number(1118.43)],
    ])
  })

  it('has five decimals of a price in €/kWh', async () => {
    const rows = await open('/v1/prices/pun/series?format=csv&from=2026-11-01&unit=kwh')
    expect(rows.slice(1).map((row) => row[3])).toEqual([number(-0.01001), number(1.11843)])
  })

  it('has all 25 hours of the long day as numbers, distinguished by the offset of their start', async () => {
    const [header = [], ...hours] = await open('/v1/pun/hourly?format=csv&date=2026-10-25')
    const column = (name: string) => {
      const index = header.findIndex((cell) => cell?.value === name)
      return hours.map((row) => row[index])
    }
    expect(hours).toHaveLength(25)
    expect(column('date')).toEqual(Array(25).fill(date('2026-10-25')))
    expect(column('hour')).toEqual(hours.map((_, i) => number(i + 1)))
    expect(column('value')).toEqual(hours.map((_, i) => number((i + 1) / 8)))
    expect(column('starts_at').slice(2, 4)).toEqual([
      text('2026-10-25T02:00:00+02:00'),
      text('2026-10-25T02:00:00+01:00'),
    ])
  })
})
