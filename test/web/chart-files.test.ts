/** Every chart as `.csv` and `.metadata.json` under the URL of its page. */
import { describe, expect, it } from 'vitest'
import { fundamentalDay, storeFundamentals } from '../support/fundamentals.ts'
import { getPage, sliceBetween } from '../support/pages.ts'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'
import { SITE_NOW, seedPastForecasts, seedSite } from '../support/site.ts'

const service = await serviceOfFile({ now: SITE_NOW.toString() })
for (const [series, source] of [
  ['mi-a1-price/nord', 'gme-intraday'],
  ['imbalance-price/macro-nord', 'terna-imbalance'],
] as const) {
  const day = fundamentalDay(series, '2026-10-25', (n) => n / 7, 15)
  await storeFundamentals(service.sql, [day], { source, at: '2026-10-26T16:00:00Z' })
}
await service.seed([zoneDay('nord', '2026-10-25', 60, (hour) => hour)])
await seedSite(service)
await seedPastForecasts(service)

interface Metadata {
  page: string
  csv: string
  detail?: string
  rows: number
  columns: { name: string }[]
  sources: object[]
}

const addressesOf = (html: string) =>
  [...html.matchAll(/href="(\/[^"]*\.csv\?[^"]*figure=[^"]*)"/g)].map(([, text = '']) => text.replaceAll('&amp;', '&'))

async function filesOf(address: string) {
  const csv = await fetch(service.baseUrl + address)
  const metadata = await fetch(service.baseUrl + address.replace('.csv', '.metadata.json'))
  expect([address, csv.status, metadata.status]).toEqual([address, 200, 200])
  const [head = '', ...lines] = (await csv.text()).trimEnd().split('\r\n')
  const rows = lines.map((line) => line.split(';').map((cell) => cell.replace(',', '.')))
  return { head: head.split(';'), rows, metadata: (await metadata.json()) as Metadata, headers: csv.headers }
}

function pathOf(address: string) {
  const { pathname, search } = new URL(address)
  return pathname + search
}

const PAGES = [
  ['/bands?f1=90&zone=nazionale', ['bands', 'bill'], 'month'],
  ['/forecasts?range=30d', ['record'], 'day'],
  ['/forecasts/past?day=2026-11-19', ['curve'], 'day'],
  ['/forecasts/hours', [], 'hour'],
  ['/prices/pun?range=30d', ['forecast'], 'day'],
  ['/prices/pun/hours?period=2026-10', ['by-hour', 'duration'], undefined],
  ['/trading?a=pun&b=psv', ['backtest', 'pair', 'spread', 'volatility'], 'day'],
  ['/?detail=quarter', ['hours'], 'hour'],
  ['/zones?date=2026-10-25', ['hours'], 'hour'],
  ['/markets?date=2026-10-25', ['day', 'spreads'], ['hour', 'month']],
] as const

describe.each(PAGES)('the charts of %s', (path, figures, detail) => {
  it('have CSV and metadata files whose columns and rows agree, at the same URLs in both languages', async () => {
    const { html } = await getPage(service.baseUrl, `/en${path}`)
    const addresses = addressesOf(html)
    const names = addresses.map((address) => new URLSearchParams(address.split('?')[1]).get('figure') ?? '')
    expect([...new Set(names)].toSorted()).toEqual(figures)
    expect(addressesOf((await getPage(service.baseUrl, `/it${path}`)).html)).toEqual(addresses)
    for (const address of addresses) {
      const { head, rows, metadata, headers } = await filesOf(address)
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.every((row) => row.length === head.length)).toBe(true)
      expect(metadata.rows).toBe(rows.length)
      expect(metadata.columns.map(({ name }) => name)).toEqual(head.slice(1))
      expect(head.join()).toMatch(/^[a-z0-9_,]+$/)
      expect(pathOf(metadata.csv)).toBe(address)
      expect(pathOf(metadata.page)).toBe(path)
      expect([detail].flat()).toContain(metadata.detail)
      expect(rows.flat().join()).not.toMatch(/\.\d{7}/)
      expect(metadata.sources.length).toBeGreaterThan(0)
      expect(headers.get('cache-control')).toContain('max-age=60')
    }
  })
})

describe('a chart file', () => {
  it('has the values of its table, in chronological order', async () => {
    const { html } = await getPage(service.baseUrl, '/it/trading?a=pun&b=psv')
    const table = sliceBetween(html.slice(html.indexOf('id="volatility"')), '<tbody>', '</tbody>')
    const shown = table
      .split('</tr>')
      .slice(0, -1)
      .map((row) => [
        /datetime="([^"]*)"/.exec(row)?.[1],
        ...[...row.matchAll(/<td class="number">(?:<data value="([^"]*)">)?/g)].map(([, value]) => value ?? ''),
      ])
    const { head, rows } = await filesOf('/trading.csv?a=pun&b=psv&figure=volatility')
    expect(head).toEqual(['date', 'pun', 'psv', 'ttf'])
    expect(rows).toEqual(shown.toReversed())
  })

  it('is that of the first chart if the URL names no figure', async () => {
    const [named, first] = await Promise.all(
      ['/forecasts.csv?figure=record', '/forecasts.csv'].map(async (path) =>
        (await fetch(service.baseUrl + path)).text(),
      ),
    )
    expect(first).toBe(named)
  })

  it.each([
    ['/forecasts.csv?figure=none', 404],
    ['/docs/limits.csv', 404],
    ['/prices/gold.csv?figure=forecast', 404],
    ['/bands.csv?figure=bill', 404], // nothing was entered
    ['/bands.csv?f1=-1', 400],
    ['/trading.metadata.json?c=1', 400],
  ])('%s is refused with %i', async (path, status) => {
    expect((await fetch(service.baseUrl + path)).status).toBe(status)
  })
})

it('/markets leads from a day after the last to the last day with prices', async () => {
  const { html } = await getPage(service.baseUrl, '/en/markets')
  const [, last] = /name="date" type="date" value="([^"]*)"/.exec(html) ?? []
  const later = await getPage(service.baseUrl, '/en/markets?date=2099-01-01')
  expect(later.html).toContain(`<button class="button" name="date" value="${last}">← `)
})
