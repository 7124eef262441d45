import { describe, expect, it } from 'vitest'
import type { MonthlyBands } from '../../src/api/contract/bands.ts'
import { figuresOf, getPage, sliceBetween, textOf } from '../support/pages.ts'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

/** The months of March and October, each with a change day. */
const MONTHS = ['2025-03', '2025-10', '2026-03', '2026-10']

const service = await serviceOfFile({ now: '2026-11-03T10:00:00Z' })
const { authorization } = await service.asPlan('API')
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

const page = (path: string) => getPage(service.baseUrl, path)
const rowOf = (html: string, month: string) => sliceBetween(html, `<time datetime="${month}">`, '</tr>')
const billOf = (html: string) => sliceBetween(html, 'id="bill"', '</section>')
const near = (values: number[]) => values.map((value) => expect.closeTo(value, 9))

describe('the monthly prices', () => {
  it('match the API, with the change from a year earlier and the last day of an incomplete month', async () => {
    const { html } = await page('/en/bands?months=36')
    const answer = await service.ask('/v1/pun/bands?from=2025-03&to=2026-11', { headers: { authorization } })
    const { months } = (await answer.json()) as MonthlyBands
    expect(months.map(({ month }) => month)).toEqual([...MONTHS, '2026-11'])
    for (const { month, f0, f1, f2, f3, f23 } of months)
      expect(figuresOf(rowOf(html, month)).slice(0, 5), month).toEqual(
        [f0, f1, f2, f3, f23].flatMap((band) => (band ? [band.value] : [])),
      )
    expect(figuresOf(rowOf(html, '2026-10'))[5]).toBeCloseTo(40, 2)
    expect(textOf(rowOf(html, '2026-11'))).toContain('until 2 Nov')
    expect(figuresOf(rowOf(html, '2026-11'))).toEqual([90, 90, 90, 90, 90])
  })

  it('start with a summary of the last complete month by band, and cover 12 months by default', async () => {
    const { html } = await page('/en/bands')
    const answer = sliceBetween(html, '<section class="card answer">', '</section>')
    expect(answer).toContain('October 2026')
    expect(figuresOf(answer).slice(0, 3)).toEqual(figuresOf(rowOf(html, '2026-10')).slice(1, 4))
    expect(html).not.toContain('<time datetime="2025-03">')
    expect((await page('/en/bands?months=36')).html).toContain('<time datetime="2025-03">')
  })

  it('are available by zone, with month names in the language of the page', async () => {
    const { html } = await page('/it/bands?zone=sici')
    expect(figuresOf(rowOf(html, '2026-10'))).toEqual([123.45, 123.45, 123.45, 123.45, 123.45])
    expect(html).toContain('ottobre 2026')
  })
})

describe('the bill calculator', () => {
  it('adds up bands, losses, spread, fee and VAT, next to the cost of a fixed-price offer', async () => {
    const { html } = await page('/en/bands?zone=sici&f1=100&f2=50&f3=150&spread=0.01&fixed=0.2&fee=8&vat=22')
    const costs = sliceBetween(html, '<caption>Energy, losses, fee and VAT for 300', '</table>')
    expect(html).toContain(
      'href="/en/bands?zone=nord&amp;f1=100&amp;f2=50&amp;f3=150&amp;spread=0.01&amp;fixed=0.2&amp;fee=8&amp;vat=22"',
    )
    const variable = (300 * (0.12345 * 1.1 + 0.01) + 8) * 1.22
    for (const row of [rowOf(costs, '2026-10'), sliceBetween(costs, '<tfoot>', '</tfoot>')])
      expect(figuresOf(row).slice(0, 3)).toEqual(near([variable, variable, 68 * 1.22]))
  })

  it('itemises the last complete month, with default rates for losses and VAT', async () => {
    const { html } = await page('/en/bands?zone=sici&f1=90&f2=80&f3=100&spread=0.02')
    const energy = 270 * 0.12345
    const net = energy * 1.1 + 270 * 0.02
    expect(figuresOf(billOf(html))).toEqual(near([net * 1.1, energy, energy * 0.1, 5.4, 0, net * 0.1]))
    expect(billOf(html)).toContain('October 2026')
  })

  it('exports its months as CSV with decimal commas without a key, and returns 400 for invalid input', async () => {
    const { html } = await page('/en/bands?zone=sici&f1=90&f2=80&f3=100&spread=0.02&fixed=0.2')
    const address = /href="(\/bands\.csv[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const csv = await fetch(service.baseUrl + address)
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="sici_bill.csv"')
    const [head = '', row = '', ...others] = (await csv.text()).trim().split('\r\n')
    expect(head).toBe(
      'month;f0_eur_mwh;f1_eur_mwh;f2_eur_mwh;f3_eur_mwh;kwh;variable_by_band_eur;variable_one_price_eur;fixed_eur',
    )
    const [month, ...values] = row.split(';')
    const variable = 270 * (0.12345 * 1.1 + 0.02) * 1.1
    expect([month, others]).toEqual(['2026-10', []])
    expect(values.map((value) => Number(value.replace(',', '.')))).toEqual(
      near([123.45, 123.45, 123.45, 123.45, 270, variable, variable, 59.4]),
    )
    expect((await fetch(`${service.baseUrl}/bands.csv?f1=-1`)).status).toBe(400)
  })

  it('follows the chosen contract: by band, one price, or fixed price', async () => {
    const bill = async (query: string) => billOf((await page(`/en/bands?f1=300&${query}`)).html)
    const [byBand, flat] = [await bill('spread=0.02'), await bill('spread=0.02&contract=flat')]
    expect(figuresOf(byBand)[0]).toBeGreaterThan(figuresOf(flat)[0] as number)
    const fixed = await bill('fixed=0.2&fee=8&contract=fixed')
    expect(fixed).toContain('fixed price')
    expect(figuresOf(fixed)).toEqual(near([(60 + 8) * 1.1, 60, 8, 6.8]))
    expect((await page('/en/bands?f1=300&contract=fixed')).html).toContain('Enter the price of the fixed contract')
  })

  it('accepts consumption that differs by month, and consumption not split by band', async () => {
    const october = '0 0 0 0 0 0 0 0 0 100 0 0'
    const { html } = await page(`/it/bands?zone=sici&f1=${october.replaceAll(' ', '+')}&f0=20,5&spread=0.01`)
    const row = rowOf(sliceBetween(html, '<caption>Energia', '</table>'), '2026-10')
    const cost = 120.5 * (0.12345 * 1.1 + 0.01) * 1.1
    expect(figuresOf(row).slice(0, 3)).toEqual(near([120.5, cost, cost]))
    expect(html).toContain(`value="${october}"`)
    expect(html).toContain('value="20,5"')
    expect(html).toContain('href="/it/bands?zone=nord&amp;f1=0+0+0+0+0+0+0+0+0+100+0+0&amp;f0=20.5&amp;spread=0.01"')
  })

  it('has the public holidays needed to split an uploaded file by band', async () => {
    const { html } = await page('/en/bands')
    expect(/data-holidays="([^"]*)"/.exec(html)?.[1]?.split(' ')).toEqual(
      expect.arrayContaining(['2021-12-25', '2026-04-06', '2026-11-01']),
    )
  })

  it('asks about a spread that is probably in c€/kWh', async () => {
    expect((await page('/en/bands?f1=100&spread=0.2')).html).not.toContain('is unusual')
    expect((await page('/it/bands?f1=100&spread=2')).html).toContain('Il tuo è in c€/kWh?')
  })

  it('shows a higher cost by band than at one price if all consumption is in F1', async () => {
    const { html } = await page('/en/bands?f1=300')
    const costs = sliceBetween(html, '<caption>Energy, losses, fee and VAT for 300', '</table>')
    const [byBand, flat] = figuresOf(rowOf(costs, '2026-03')) as [number, number]
    expect(byBand).toBeGreaterThan(flat)
    expect(costs).not.toContain('datetime="2026-11"')
  })

  it('accepts decimal commas, and shows them on the Italian page', async () => {
    const comma = await page('/it/bands?f1=100,5&f2=50&f3=150&spread=0,015&fixed=0,2&fee=1,1250')
    const point = await page('/it/bands?f1=100.5&f2=50&f3=150&spread=0.015&fixed=0.2&fee=1.1250')
    expect(figuresOf(comma.html).length).toBeGreaterThan(40)
    expect(figuresOf(comma.html)).toEqual(figuresOf(point.html))
    for (const value of ['100,5', '0,015', '1,1250']) expect(comma.html).toContain(`value="${value}"`)
  })

  it.each([
    'f1=-3',
    'f1=many',
    'f1=1.250',
    'f1=1,250',
    'f1=1+2',
    'f1=1.250+0+0+0+0+0+0+0+0+0+0+0',
    'spread=0+0+0+0+0+0+0+0+0+0+0+0',
    'fee=1e3',
    'fee=1000001',
    'zone=milano',
    'fee=1e9',
    'f2=',
    'f4=1',
    'vat=101',
    'months=24',
    'contract=none',
  ])('returns 400 for %s', async (query) => {
    expect((await page(`/en/bands?${query}`)).status).toBe(400)
  })
})
