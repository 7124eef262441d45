import { describe, expect, it } from 'vitest'
import type { ForecastCurve } from '../../src/api/contract/forecasts.ts'
import type { HourlyDay } from '../../src/api/contract/hourly.ts'
import type { DailySeries } from '../../src/api/contract/series.ts'
import { seedIssue } from '../support/forecasts.ts'
import { countMatches, figuresOf, getPage, sliceBetween } from '../support/pages.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const TODAY = Temporal.PlainDate.from('2026-11-20')
const DAYS = 400

const service = await serviceOfFile({ now: '2026-11-20T15:00:00Z' })
const { authorization } = await service.asPlan('API')
const days = Array.from({ length: DAYS }, (_, i) => TODAY.subtract({ days: i }).toString())
await service.seed(
  days.map((day, i) => dailyPrice('PSV', day, 30 + (i % 17) / 7)),
  { source: 'gme-mgas' },
)
const issue = { asset: 'PSV', infoDate: '2026-11-20', issuedAt: '2026-11-20T14:00:00Z' } as const
await seedIssue(service.sql, { ...issue, p50: () => 31 })
const at = (instant: string) => ({ at: Temporal.Instant.from(instant) })
await service.seed([dailyPrice('PSV', '2026-11-18', 44.44)], { source: 'gme-mgas', ...at('2026-11-19T09:00:00Z') })
await service.seed([zoneDay('nazionale', '2026-11-19', 60, () => 100)], at('2026-11-18T12:00:00Z'))
await service.seed(
  [zoneDay('nazionale', '2026-11-19', 60, (hour) => (hour < 13 ? 100 : 124))],
  at('2026-11-19T08:00:00Z'),
)

const page = (path: string) => getPage(service.baseUrl, path)
const api = async (path: string) => (await service.ask(`/v1${path}`, { headers: { authorization } })).json()

describe('the history', () => {
  it.each([
    ['30d', 30],
    ['90d', 90],
    ['1y', 365],
    ['2y', 731],
  ])('over %s matches the API: points and statistics', async (range, days) => {
    const { html } = await page(`/en/prices/psv?range=${range}`)
    const from = TODAY.subtract({ days })
    const path = `/prices/psv/series?from=${from}&to=2026-11-21`
    const { points, stats, count } = (await api(path)) as unknown as DailySeries
    const history = sliceBetween(html, 'id="history"', '<h3>For programs')
    const rows = [
      ...history.matchAll(/<time datetime="([^"]*)">[^<]*<\/time><\/td><td class="number"><data value="([^"]*)"/g),
    ]
    expect(rows.map(([, date, value]) => ({ date, value: Number(value) })).toReversed()).toEqual(points)
    const figures = figuresOf(sliceBetween(history, '<dl class="figures">', '</dl>'))
    expect(figures).toEqual([stats?.avg, stats?.min, stats?.max, count])
  })

  it('marks the range that is shown', async () => {
    const { html } = await page('/en/prices/psv?range=1y')
    expect(html).toContain('href="/en/prices/psv?range=1y#history" aria-current="true"')
    expect(countMatches(sliceBetween(html, 'id="history"', '</ul>'), /aria-current/g)).toBe(1)
  })

  it('offers the chart’s data as CSV without a key, and a command for the API, which needs one', async () => {
    const { html } = await page('/en/prices/psv?from=2026-10-01&to=2026-10-31')
    const csv = await csvOf(addressOf(html))
    expect(csv.rows[0]).toBe('date;psv')
    const { points } = (await api('/prices/psv/series?from=2026-10-01&to=2026-10-31')) as unknown as DailySeries
    expect(csv.rows.slice(1)).toEqual(points.map(({ date, value }) => `${date};${String(value).replace('.', ',')}`))
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="psv_2026-10-01_2026-10-31.csv"')
    expect(csv.headers.get('access-control-allow-origin')).toBeNull()
    const [, command = ''] =
      /'(http[^']*format=csv)'/.exec(html.replaceAll('&#39;', "'").replaceAll('&amp;', '&')) ?? []
    expect((await fetch(command)).status).toBe(403)
    expect((await fetch(command, { headers: { authorization } })).headers.get('content-type')).toContain('text/csv')
  })
})

describe('the metadata of a chart', () => {
  it('have columns with units, sources with terms, an attribution and the time of the last update', async () => {
    const { html } = await page('/en/prices/psv?from=2026-10-01&to=2026-10-31&with=ttf&previous=1')
    const address = addressOf(html).replace('.csv', '.metadata.json')
    expect(html).toContain(`href="${address.replaceAll('&', '&amp;')}"`)
    const response = await fetch(service.baseUrl + address)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual({
      title: 'PSV, PSV, a year before, TTF',
      page: expect.stringContaining('/prices/psv?from=2026-10-01&to=2026-10-31&with=ttf&previous=1'),
      csv: expect.stringContaining('/prices/psv.csv?from=2026-10-01'),
      ...{ detail: 'day', time_zone: 'Europe/Rome', from: '2026-10-01', to: '2026-10-31', rows: 31, notes: [] },
      columns: [
        { name: 'psv', title: 'PSV', asset: 'psv', unit: '€/MWh' },
        { name: 'psv_year_before', title: 'PSV, a year before', asset: 'psv', unit: '€/MWh' },
        { name: 'ttf', title: 'TTF', asset: 'ttf', unit: '€/MWh' },
      ],
      sources: expect.arrayContaining([
        {
          name: 'Gestore dei Mercati Energetici S.p.A. (GME)',
          url: expect.stringContaining('https://'),
          terms: expect.stringContaining('consent of GME'),
        },
      ]),
      attribution: expect.stringContaining('Source: Gestore dei Mercati Energetici'),
      last_update: expect.stringMatching(/^20.*Z$/),
    })
  })

  it('note the change in the definition of the PUN if the interval includes it', async () => {
    const notesOf = async (query: string) =>
      ((await (await fetch(`${service.baseUrl}/prices/pun.metadata.json${query}`)).json()) as { notes: string[] }).notes
    await service.seed([dailyPrice('PUN', '2024-12-31', 100), dailyPrice('PUN', '2025-01-01', 100)])
    expect(await notesOf('?from=2024-12-31&to=2025-01-01')).toEqual([
      expect.stringContaining('2025-01-01: the PUN has'),
    ])
    expect(await notesOf('?from=2025-01-01&to=2025-01-02')).toEqual([])
  })
})

describe('the chart’s settings', () => {
  const figure = (html: string) => sliceBetween(html, '<figure class="chart', '</figure>')

  it('add the previous year and a second index to the table and the CSV', async () => {
    const { html } = await page('/en/prices/psv?from=2026-11-10&to=2026-11-20&previous=1&with=ttf')
    const table = figure(html)
    expect(table).toContain('<th scope="col" class="number" data-line="previous" data-label="PSV, a year before">')
    expect(table).toContain('data-line="second" data-label="TTF" data-unit="€/MWh"')
    const before = (await api('/prices/psv/series?from=2025-11-10&to=2025-11-20')) as unknown as DailySeries
    const { rows } = await csvOf(addressOf(html))
    expect(rows[0]).toBe('date;psv;psv_year_before;ttf')
    expect(rows.find((row) => row.startsWith('2026-11-15'))?.split(';')[2]).toBe(
      String(before.points.find(({ date }) => date === '2025-11-15')?.value).replace('.', ','),
    )
  })

  it('are kept in the URLs of the ranges and in the form', async () => {
    const { html } = await page('/it/prices/pun?detail=hour&range=30d&zone=sici&with=nord')
    expect(html).toContain('href="/it/prices/pun?range=90d&amp;detail=hour&amp;zone=sici&amp;with=nord#history"')
    expect(html).toContain('<option value="sici" selected>Sicilia</option>')
    expect(html).toContain('<option value="nord" selected>Nord</option>')
    expect(html).toContain('<option value="hour" selected>Ore</option>')
  })

  it.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
  ])('show the hours of the change day %s: %i', async (day, hours) => {
    await service.seed([zoneDay('sici', day, 60, (hour) => hour), zoneDay('nord', day, 60, (hour) => 2 * hour)])
    const { html } = await page(`/en/prices/pun?detail=hour&zone=sici&with=nord&from=${day}&to=${day}`)
    const { hours: known = [] } = (await api(`/pun/hourly?zone=sici&date=${day}`)) as unknown as HourlyDay
    const { rows } = await csvOf(addressOf(html))
    expect(rows).toHaveLength(hours + 1)
    expect(rows.slice(1)).toEqual(
      known.map(({ starts_at: at, value }) => `${at};${value};${2 * value}`.replaceAll('.', ',')),
    )
    expect(countMatches(figure(html), /<tr><td>/g)).toBe(hours)
  })

  it('a long table is shown as means, and the chart reads every value from the CSV', async () => {
    const many = Array.from({ length: 900 }, (_, i) => TODAY.subtract({ days: i }).toString())
    await service.seed(
      many.map((day, i) => dailyPrice('Brent', day, 70 + (i % 7))),
      { source: 'eia-brent' },
    )
    const { html } = await page('/en/prices/brent?range=all')
    expect(countMatches(figure(html), /<tr><td>/g)).toBeLessThan(40)
    expect(figure(html)).toContain('<time datetime="2026-10">October 2026</time>')
    const [, address = ''] = / data-csv="([^"]*)"/.exec(html) ?? []
    expect((await csvOf(address.replaceAll('&amp;', '&'))).rows).toHaveLength(901)
    await service.sql`delete from daily_prices where asset = 'Brent'`
  })

  it.each([
    ['/prices/psv?detail=hour', 400],
    ['/prices/psv?zone=nord', 400],
    ['/prices/pun?from=2026-11-20&to=2026-11-01', 400],
    ['/prices/pun?from=2026-11-01&to=2026-11-20&detail=day&zone=nazionale&with=none', 200],
    ['/prices/gold.csv', 404],
    ['/prices/gold.metadata.json', 404],
    ['/prices/pun.csv?with=gold', 400],
  ])('%s returns %i', async (path, status) => {
    expect((await fetch(service.baseUrl + path)).status).toBe(status)
  })
})

/** URL of the CSV download. */
function addressOf(html: string): string {
  const [, address = ''] = /data-tool="csv" href="([^"]*)"/.exec(html) ?? []
  return address.replaceAll('&amp;', '&')
}

async function csvOf(address: string): Promise<{ headers: Headers; rows: string[] }> {
  const response = await fetch(service.baseUrl + address)
  return { headers: response.headers, rows: (await response.text()).trimEnd().split('\r\n') }
}

it('the forecast is the API’s curve, after the prices of the last 30 days', async () => {
  const { html } = await page('/en/prices/psv')
  const { points } = (await api('/forecast/psv')) as unknown as ForecastCurve
  const rows = [
    ...sliceBetween(html, 'id="forecast"', '</section>').matchAll(/<tr><td><time datetime="([^"]*)">.*?<\/tr>/g),
  ]
  const forecast = rows.slice(0, points.length).map(([row, date]) => {
    const [p10, p50, p90] = figuresOf(row)
    return { date, p10, p50, p90 }
  })
  expect(forecast).toEqual(points)
  expect(rows.length - points.length).toBe(31)
})

it('the publisher, its terms and the time of its last data match GET /v1/status', async () => {
  const { sources } = (await api('/status')) as unknown as {
    sources: { id: string; name: string; terms: string; series: { series: string; observed_at: string }[] }[]
  }
  const gme = sources.find(({ id }) => id === 'gme-mgas')
  const section = sliceBetween((await page('/en/prices/psv')).html, 'id="provenance"', '</section>')
  expect(section).toContain(gme?.name)
  expect(section).toContain('redistribution and commercial use need the consent of GME')
  expect(section).toContain(`datetime="${gme?.series.find(({ series }) => series === 'PSV')?.observed_at}"`)
})

describe('the corrections', () => {
  it('of a daily price show the old value, the new value and the time of the change', async () => {
    const section = sliceBetween((await page('/en/prices/psv')).html, 'id="corrections"', '</section>')
    expect(section).toContain('<time datetime="2026-11-18">18 Nov 2026</time>')
    expect(section).toContain('<time datetime="2026-11-19T09:00:00Z">19 Nov 2026, 10:00</time>')
    expect(figuresOf(section)).toEqual([expect.closeTo(30 + 2 / 7, 5), 44.44])
  })

  it('of the PUN count the hours that were replaced', async () => {
    const section = sliceBetween((await page('/en/prices/pun')).html, 'id="corrections"', '</section>')
    expect(section).toMatch(
      /<td class="number">12<\/td><td class="number"><data value="100">100.00<\/data><\/td><td class="number"><data value="112">/,
    )
  })

  it('are reported as none if no value has been corrected', async () => {
    expect((await page('/en/prices/ttf')).html).toContain('No value of the last two years has been corrected.')
  })
})

describe('the latest price', () => {
  const now = async (language: string, slug: string) =>
    sliceBetween((await page(`/${language}/prices/${slug}`)).html, '<div class="split now">', '</section>')

  it('is today’s until tomorrow’s is published', async () => {
    await service.seed([zoneDay('nazionale', '2026-11-20', 15, () => 120)], at('2026-11-20T12:00:00Z'))
    const card = await now('en', 'pun')
    expect(card).toContain('<p class="price"><data value="120">120.00</data>')
    expect(card).toContain('<time datetime="2026-11-20">Friday 20 November</time>')
    expect(card).not.toContain('Today, ')
  })

  it('is tomorrow’s as soon as it is published, with its date, next to today’s', async () => {
    await service.seed([zoneDay('nazionale', '2026-11-21', 15, () => 130.5)], at('2026-11-20T12:00:00Z'))
    const card = await now('en', 'pun')
    expect(card).toContain('<p class="price"><data value="130.5">130.50</data>')
    expect(card).toContain('<time datetime="2026-11-21">Saturday 21 November</time>')
    expect(card).toMatch(
      /<p>Today, <time datetime="2026-11-20">Friday 20 November<\/time>: <data value="120">120.00<\/data>/,
    )
    expect(card).toContain('+10.50')
    expect(await now('it', 'pun')).toContain('<p>Oggi, <time datetime="2026-11-20">venerdì 20 novembre</time>')
  })

  it('of gas is also tomorrow’s as soon as it is published', async () => {
    await service.seed([dailyPrice('PSV', '2026-11-21', 32.25)], { source: 'gme-mgas', ...at('2026-11-20T14:30:00Z') })
    expect(await now('en', 'psv')).toContain('<data value="32.25">32.25</data>')
  })
})

it('the page of an index without prices says so in each section', async () => {
  const { status, html } = await page('/en/prices/brent')
  expect(status).toBe(200)
  expect(html).toContain('No price is stored.')
  expect(sliceBetween(html, 'id="history"', '</section>')).toContain('There are no prices in this range.')
  expect(html).not.toContain('id="forecast"')
})
