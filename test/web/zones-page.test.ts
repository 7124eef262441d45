/** The zone map and its hourly table. */
import { describe, expect, it } from 'vitest'
import { ALL_MARKET_ZONES } from '../../src/market/zones.ts'
import { countMatches, getPage, sliceBetween } from '../support/pages.ts'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const DAYS = ['2026-03-29', '2026-10-25', '2026-11-20']

const service = await serviceOfFile({ now: '2026-11-20T13:30:00Z' })
await service.seed(
  DAYS.flatMap((day) => [
    zoneDay('nazionale', day, 60, (hour) => 100 + hour),
    ...ALL_MARKET_ZONES.map((zone, i) => zoneDay(zone, day, 60, (hour) => 100 + hour + 4 * (i - 3))),
  ]),
)

const page = (query = '') => getPage(service.baseUrl, `/en/zones${query}`)
const map = async (query: string) =>
  sliceBetween((await page(query)).html, '<figure class="card italy-map">', '</figure>')
const shown = (figure: string, zone: string) =>
  sliceBetween(sliceBetween(figure, `<text data-zone="${zone}"`, '</text>'), 'class="value"', '</tspan>')

describe('the zone map', () => {
  it('has all seven zones, each with its shape and its difference from the PUN', async () => {
    const figure = await map('')
    for (const [i, zone] of ALL_MARKET_ZONES.entries()) {
      expect(figure).toMatch(new RegExp(`<path data-zone="${zone}" class="[a-z0-9-]+" d="M[^"]{100,}z"`))
      const difference = 4 * (i - 3)
      expect(shown(figure, zone)).toContain(
        `>${difference === 0 ? '0.00' : `${difference > 0 ? '+' : '−'}${Math.abs(difference)}.00`}`,
      )
    }
    expect(figure).toContain('the whole day')
    expect(figure).toContain('<path data-zone="nord" class="below-3"')
    expect(figure).toContain('<path data-zone="sici" class="above-2"')
  })

  it('shows the prices of an hour', async () => {
    const figure = await map('?date=2026-11-20&hour=14&show=price')
    expect(figure).toContain('13:00–14:00')
    expect(figure).toContain('<span data-part="national">114.00</span>')
    expect(shown(figure, 'nord')).toContain('>102.00')
  })
})

describe('the table of hours', () => {
  it.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-11-20', 24],
  ])('of %s has %i hours of the PUN and seven zones', async (day, hours) => {
    const { html } = await page(`?date=${day}`)
    const table = sliceBetween(html, '<table class="matrix zone-hours">', '</table>')
    expect(countMatches(table, /<tr data-hour="\d+">/g)).toBe(hours)
    expect(countMatches(sliceBetween(table, `<tr data-hour="${hours}">`, '</tr>'), /<data /g)).toBe(8)
    expect(countMatches(html, /<option value="\d+"/g)).toBe(hours)
  })

  it('of October distinguishes the two hours that begin at 02:00', async () => {
    const { html } = await page('?date=2026-10-25&hour=4')
    expect(html).toContain('<th scope="row">02:00 (+02:00)</th>')
    expect(html).toContain('<span data-part="hour">02:00 (+01:00)–03:00</span>')
  })
})

it('hour 25 of a 23-hour day selects its last hour', async () => {
  expect(await map('?date=2026-03-29&hour=25')).toContain('23:00–00:00')
})

it('the page of a day without prices says so', async () => {
  expect((await page('?date=2099-01-01')).html).toMatch(/<button class="button" name="date" value="2026-11-20">← /)
  expect((await page('?date=2026-11-10')).html).toContain('No prices are published for this day.')
})

it('the page has a button for the next day, up to the last published day', async () => {
  expect((await page('?date=2026-11-20')).html).not.toContain('→</button>')
  expect((await page('?date=2026-11-10')).html).toMatch(/value="2026-11-11">[^<]*→<\/button>/)
})
