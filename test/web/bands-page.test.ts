import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MonthlyBands } from '../../src/api/contract/bands.ts'
import { getPage, part, textOf } from '../support/pages.ts'
import { zoneDay } from '../support/prices.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Both months have a daylight-saving change. */
const MONTHS = ['2025-03', '2025-10', '2026-03', '2026-10']

let service: TestService
let authorization: string
beforeAll(async () => {
  service = await startTestService({ now: '2026-11-03T10:00:00Z' })
  authorization = `Bearer ${(await service.issueKey('API')).key}`
  const daysOf = (text: string) => {
    const month = Temporal.PlainYearMonth.from(text)
    return Array.from({ length: month.daysInMonth }, (_, i) => month.toPlainDate({ day: i + 1 }).toString())
  }
  await service.seed([
    ...MONTHS.flatMap((month, i) =>
      daysOf(month).map((day) => zoneDay('nazionale', day, 60, (hour) => 50 + 20 * i + hour)),
    ),
    ...['2026-11-01', '2026-11-02'].map((day) => zoneDay('nazionale', day, 60, () => 90)),
    ...daysOf('2026-10').map((day) => zoneDay('sici', day, 60, () => 123.45)),
  ])
})
afterAll(() => service.stop())

const page = (path: string) => getPage(service.baseUrl, path)
const numbersOf = (html: string) => [...html.matchAll(/<data value="([^"]*)"/g)].map(([, value]) => Number(value))
const rowOf = (html: string, month: string) => part(html, `<time datetime="${month}">`, '</tr>')

describe('the months', () => {
  it('are those of the API, against a year earlier, and say until when one is known', async () => {
    const { html } = await page('/en/bands')
    const answer = await service.ask('/v1/pun/bands?from=2025-03&to=2026-11', { headers: { authorization } })
    const { months } = (await answer.json()) as MonthlyBands
    expect(months.map(({ month }) => month)).toEqual([...MONTHS, '2026-11'])
    for (const { month, f0, f1, f2, f3, f23 } of months)
      expect(numbersOf(rowOf(html, month)).slice(0, 5), month).toEqual(
        [f0, f1, f2, f3, f23].flatMap((band) => (band ? [band.value] : [])),
      )
    expect(numbersOf(rowOf(html, '2026-10'))[5]).toBeCloseTo(40, 2)
    expect(textOf(rowOf(html, '2026-11'))).toContain('until 2 Nov')
    expect(numbersOf(rowOf(html, '2026-11'))).toEqual([90, 90, 90, 90, 90])
  })

  it('are those of a zone, with the words of the language', async () => {
    const { html } = await page('/it/bands?zone=sici')
    expect(numbersOf(rowOf(html, '2026-10'))).toEqual([123.45, 123.45, 123.45, 123.45, 123.45])
    expect(html).toContain('ottobre 2026')
  })
})

describe('one’s own use', () => {
  it('costs what the bands, the spread and the fee make of it, beside a fixed offer', async () => {
    const { html } = await page('/en/bands?zone=sici&f1=100&f2=50&f3=150&spread=0.01&fixed=0.2&fee=8')
    const costs = part(html, '<caption>Energy and fee for 300', '</table>')
    expect(html).toContain(
      'href="/en/bands?zone=nord&amp;f1=100&amp;f2=50&amp;f3=150&amp;spread=0.01&amp;fixed=0.2&amp;fee=8"',
    )
    const variable = 300 * (0.12345 + 0.01) + 8
    for (const row of [rowOf(costs, '2026-10'), part(costs, '<tfoot>', '</tfoot>')]) {
      const [byBand, flat, fixed] = numbersOf(row)
      expect(byBand).toBeCloseTo(variable, 9)
      expect(flat).toBeCloseTo(variable, 9)
      expect(fixed).toBe(68)
    }
  })

  it('is by band dearer for those who use power when it is dear', async () => {
    const { html } = await page('/en/bands?f1=300')
    const row = rowOf(part(html, '<caption>Energy and fee for 300', '</table>'), '2026-03')
    const [byBand, flat] = numbersOf(row) as [number, number]
    expect(byBand).toBeGreaterThan(flat)
    expect(part(html, '<caption>Energy and fee for 300', '</table>')).not.toContain('datetime="2026-11"')
  })

  it('takes a decimal comma, and shows it in Italian', async () => {
    const comma = await page('/it/bands?f1=100,5&f2=50&f3=150&spread=0,015&fixed=0,2&fee=1,1250')
    const point = await page('/it/bands?f1=100.5&f2=50&f3=150&spread=0.015&fixed=0.2&fee=1.1250')
    expect(numbersOf(comma.html).length).toBeGreaterThan(40)
    expect(numbersOf(comma.html)).toEqual(numbersOf(point.html))
    for (const value of ['100,5', '0,015', '1,1250']) expect(comma.html).toContain(`value="${value}"`)
  })

  it.each([
    'f1=-3',
    'f1=many',
    'f1=1.250',
    'f1=1,250',
    'fee=1e3',
    'fee=1000001',
    'zone=milano',
    'fee=1e9',
    'f2=',
    'f4=1',
  ])('refuses %s', async (query) => {
    expect((await page(`/en/bands?${query}`)).status).toBe(400)
  })
})
