/** The heat map of hours, the duration curve and the distribution by clock hour. */
import { describe, expect, it } from 'vitest'
import { countMatches, figuresOf, getPage, sliceBetween } from '../support/pages.ts'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const service = await serviceOfFile({ now: '2026-11-20T13:30:00Z' })
const october = Array.from({ length: 31 }, (_, i) => `2026-10-${String(i + 1).padStart(2, '0')}`)
await service.seed([
  ...october.map((day, i) => zoneDay('nazionale', day, 60, (hour) => (i === 3 ? 10 * hour - 55 : 50 + hour))),
  zoneDay('nazionale', '2026-03-29', 60, (hour) => hour),
  zoneDay('sici', '2026-10-25', 15, (quarter) => quarter),
])

const PATH = '/en/prices/pun/hours'
const page = (query: string) => getPage(service.baseUrl, `${PATH}${query}`)

/** Area of the cells by class: `M3 12h4v1h-4z` is 4. */
function areas(html: string): Record<string, number> {
  const svg = sliceBetween(html, '<figure class="bars heat', '</svg>')
  return Object.fromEntries(
    [...svg.matchAll(/<path class="([^"]*)" d="([^"]*)"/g)].map(([, name, path = '']) => {
      const runs = [...path.matchAll(/h(\d+)v([\d.]+)/g)].map(([, length, height]) => Number(length) * Number(height))
      return [name, runs.reduce((sum, area) => sum + area, 0)]
    }),
  )
}
const rowOf = (html: string, day: string) =>
  sliceBetween(sliceBetween(html, '<table class="matrix">', '</table>'), `datetime="${day}"`, '</tr>')

describe('the heat map', () => {
  it('of a month has a cell for every hour, and highlights those with negative prices', async () => {
    const { html } = await page('?period=2026-10')
    const { negative, 'near-zero': nearZero, ...others } = areas(html)
    // 4 October: −45, −35, −25, −15, −5, then 5 and more.
    expect([negative, nearZero]).toEqual([5, undefined])
    const all = Object.values(others).reduce((sum, area) => sum + area, negative as number)
    expect(all).toBe(31 * 24) // the repeated hour is drawn as two halves
    const facts = sliceBetween(html, '<dl class="figures">', '</dl>')
    expect(figuresOf(facts).slice(1)).toEqual([-45, 185, 5, 5])
    expect(html).toContain('of 745')
  })

  it('of October has two prices for the repeated hour, and of March none for the skipped hour', async () => {
    const october = rowOf((await page('?period=2026-10')).html, '2026-10-25')
    expect(october).toMatch(/<data value="53">53.00<\/data> \/ <data value="54">54.00/)
    expect(countMatches(october, /<data /g)).toBe(25)
    const { html } = await page('?period=2026-03')
    const march = rowOf(html, '2026-03-29')
    expect(countMatches(march, /<data /g)).toBe(23)
    expect(march.split('<td')[3]).toBe(' class="number"></td>')
    expect(Object.values(areas(html)).reduce((sum, area) => sum + area, 0)).toBe(23)
  })

  it('of a year has means by month and hour', async () => {
    const { html } = await page('?period=2026')
    expect(figuresOf(rowOf(html, '2026-10'))[0]).toBeCloseTo((30 * 51 - 45) / 31, 9)
    expect(html).toContain('← 2025')
  })

  it('offers its hours as CSV', async () => {
    const { html } = await page('?period=2026-10')
    const [, address = ''] = / data-csv="([^"]*)"/.exec(html) ?? []
    const csv = await (await fetch(service.baseUrl + address.replaceAll('&amp;', '&'))).text()
    expect(csv.trimEnd().split('\r\n')).toHaveLength(746)
  })

  it('of a zone selects the zone and shows its hours', async () => {
    const { html } = await page('?period=2026-10&zone=sici')
    expect(html).toContain('<option value="sici" selected>')
    expect(countMatches(rowOf(html, '2026-10-25'), /<data /g)).toBe(25)
  })
})

it('the duration curve and the distribution agree with the hours', async () => {
  const { html } = await page('?period=2026-03') // prices from 1 to 23
  const curve = sliceBetween(html, '>Duration curve</h2>', '</table>')
  expect(curve).toMatch(/>50%<\/th><td class="number"><data value="12">/)
  const hours = sliceBetween(html, '>What each hour costs</h2>', '</table>')
  expect(countMatches(hours, /<tr><th scope="row">/g)).toBe(23)
  expect(hours).toMatch(
    />03<\/th><td class="number"><data value="3">3.00<\/data><\/td><td class="number"><data value="3">/,
  )
})

it.each([
  ['?period=2026-13', 400],
  ['?period=26', 400],
  ['?period=1990', 200],
  ['?period=2030', 400],
  ['?period=2024', 200],
  ['', 200],
])('GET /en/prices/pun/hours%s returns %i', async (query, status) => {
  expect((await page(query)).status).toBe(status)
})
