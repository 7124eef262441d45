/** Price cards: images for third-party pages. */
import { describe, expect, it } from 'vitest'
import type { HourlyDay } from '../../src/api/contract/hourly.ts'
import { dayCard } from '../../src/web/cards/day-card.ts'
import { makeView } from '../../src/web/view.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const SATURDAY = '2026-11-21T10:00:00Z'

const service = await serviceOfFile({ now: SATURDAY })
await service.seed([
  zoneDay('nazionale', '2026-11-20', 60, () => 110),
  zoneDay('nazionale', '2026-11-21', 60, () => 118.43),
  dailyPrice('PSV', '2026-11-20', 30.5),
  dailyPrice('Brent', '2026-11-16', 68.91),
])

async function card(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(service.baseUrl + path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const descriptionOf = (svg: string) => /<desc[^>]*>(.*)<\/desc>/.exec(svg)?.[1]

describe('a price card', () => {
  it('has a text description with price, day and source', async () => {
    const { status, headers, text } = await card('/en/card/pun.svg')
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    expect(text).toContain('<title id="title">PUN: daily price</title>')
    expect(descriptionOf(text)).toBe(
      '118.43 €/MWh. Market day 21 Nov 2026. Source: Gestore dei Mercati Energetici S.p.A. (GME)',
    )
    expect(text).toContain('▲ +8.43')
  })

  it('is in Italian if requested', async () => {
    expect(descriptionOf((await card('/it/card/pun.svg')).text)).toContain(
      '118,43 €/MWh. Giorno di mercato 21 nov 2026',
    )
    const preferred = await card('/card/pun.svg', { 'accept-language': 'it' })
    expect(preferred.text).toContain('118,43')
    expect(preferred.headers.get('vary')).toContain('Accept-Language')
  })

  it('may be embedded anywhere, cached for a quarter of an hour, and revalidated with 304', async () => {
    const { headers } = await card('/card/psv.svg')
    expect(headers.get('cache-control')).toBe('public, max-age=900, stale-while-revalidate=3600')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none';frame-ancestors 'none';style-src 'unsafe-inline'",
    )
    const again = await card('/card/psv.svg', { 'if-none-match': headers.get('etag') ?? '' })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it('is light, dark, or follows the reader’s setting', async () => {
    expect((await card('/card/pun.svg')).text).toContain('@media(prefers-color-scheme:dark)')
    for (const theme of ['light', 'dark'])
      expect((await card(`/card/pun.svg?theme=${theme}`)).text).not.toContain('@media')
    expect((await card('/card/pun.svg?theme=pink')).status).toBe(400)
    expect((await card('/card/pun.svg?colour=red')).status).toBe(400)
  })

  it('says that there is no price instead of showing 0', async () => {
    const { status, text } = await card('/en/card/ttf.svg')
    expect(status).toBe(200)
    expect(text).toContain('No price')
    expect(text).not.toMatch(/class="price"|>0[.<]/)
  })

  it('says that a price is old', async () => {
    const { text } = await card('/en/card/psv.svg')
    expect(text).not.toContain('not up to date')
    service.setNow('2026-11-26T10:00:00Z')
    expect(descriptionOf((await card('/en/card/psv.svg')).text)).toContain('not up to date: 6 days old')
    expect(descriptionOf((await card('/en/card/pun.svg')).text)).toContain('not up to date: 5 days old')
    service.setNow(SATURDAY)
  })

  it.each(['/card/xyz.svg', '/card/pun', '/card/pun.png', '/card/..%2Fpun.svg', '/card/%3Cscript%3E.svg'])(
    'returns 404 for %s',
    async (path) => {
      const { status, text } = await card(path, { accept: 'text/html' })
      expect(status).toBe(404)
      expect(text).not.toContain('<script>.svg')
    },
  )
})

describe('the link preview image', () => {
  const address = (html: string) => /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? ''

  it('is a PNG of 1200 × 630 pixels in the language of the page', async () => {
    const { text } = await card('/it/prices/pun')
    expect(address(text)).toBe(`${service.baseUrl}/it/card/day.png`)
    expect(text).toContain(`<meta property="og:url" content="${service.baseUrl}/it/prices/pun">`)
    expect(text).toMatch(/<meta property="og:title" content="[^"]*PUN[^"]*">/)
    const bytes = Buffer.from(await (await fetch(address(text))).arrayBuffer())
    expect(bytes.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630])
  })

  it('revalidates with 304, and changes when tomorrow’s prices are published', async () => {
    const before = await card('/en/card/day.png')
    expect([before.status, before.headers.get('content-type')]).toEqual([200, 'image/png'])
    const again = await card('/en/card/day.png', { 'if-none-match': before.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    await service.seed([zoneDay('nazionale', '2026-11-22', 60, (hour) => 50 + hour)])
    expect((await card('/en/card/day.png')).headers.get('etag')).not.toBe(before.headers.get('etag'))
  })

  it.each([
    { day: '2026-03-29', hours: 23 },
    { day: '2026-10-25', hours: 25 },
  ])('has a bar for each of the $hours hours of $day', async ({ day, hours }) => {
    const view = makeView({ language: 'en', isChosen: true, address: '/' })
    await service.seed([zoneDay('nazionale', day, 60, (hour) => 50 + hour)])
    const headers = await service.asPlan('API')
    const prices = (await (await service.ask(`/v1/pun/hourly?date=${day}`, { headers })).json()) as HourlyDay
    const shown = { day: Temporal.PlainDate.from(day), prices, hoursOnly: false }
    const none = { ...shown, prices: undefined }
    const svg = dayCard({ today: none, tomorrow: shown, last: none }, shown.day, view)
    expect(svg.match(/<rect x="/g)).toHaveLength(hours)
    expect(svg).toContain('Cheapest three hours in a row')
  })

  it.each([
    ['en', 'Friday 20 November, not up to date: 70 days old'],
    ['it', 'venerdì 20 novembre, non aggiornato: risale a 70 giorni fa'],
  ] as const)('says in a line that a price is old, in %s', async (language, line) => {
    const today = Temporal.PlainDate.from('2027-01-29')
    const headers = await service.asPlan('API')
    const prices = (await (await service.ask('/v1/pun/hourly?date=2026-11-20', { headers })).json()) as HourlyDay
    const none = { day: today, prices: undefined, hoursOnly: false }
    const view = makeView({ language, isChosen: true, address: '/' })
    const svg = dayCard({ today: none, tomorrow: none, last: { ...none, prices } }, today, view)
    expect(svg.replace(/<[^>]*>/g, '')).toContain(line)
  })
})

it('/favicon.ico returns the SVG icon', async () => {
  const { status, headers } = await card('/favicon.ico')
  expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
})

describe('the widgets page', () => {
  it('offers HTML snippets without scripts, whose URLs return 200', async () => {
    const { text } = await card('/it/widgets')
    const snippets = [...text.matchAll(/<code>(&lt;a .*?)<\/code>/g)].map(([, snippet = '']) =>
      snippet.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"'),
    )
    expect(snippets).toHaveLength(5)
    for (const snippet of snippets) {
      expect(snippet).not.toMatch(/<script| on\w+=| style=/)
      const addresses = [...snippet.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address)
      expect(addresses).toHaveLength(2)
      for (const address of addresses) expect((await fetch(address)).status).toBe(200)
    }
  })
})

it('a card shows tomorrow’s price as soon as it is published', async () => {
  await service.seed([zoneDay('nazionale', '2026-11-22', 60, () => 97.27)])
  const { text } = await card('/en/card/pun.svg')
  expect(descriptionOf(text)).toContain('97.27 €/MWh. Market day 22 Nov 2026.')
  expect(text).toContain('▼ −21.16')
})
