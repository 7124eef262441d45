import { afterEach, describe, expect, it } from 'vitest'
import { PAGES } from '../../src/api/contract/plans.ts'
import { ALL_MARKET_ZONES } from '../../src/market/zones.ts'
import { countMatches, figuresOf, getPage, sliceBetween } from '../support/pages.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const NOW = '2026-11-20T13:30:00Z' // a Friday, 14:30 in Rome
const TODAY = '2026-11-20'
/** An interval in the chart. */
const STEP = /<line class="(?:low|normal|high)"/g
const TOMORROW = '2026-11-21'

const service = await serviceOfFile({ now: NOW })
const { authorization } = await service.asPlan('API')
const waves = (base: number) => (quarter: number) => base + 40 * Math.sin(quarter / 15)
await service.seed([
  zoneDay('nazionale', '2026-11-19', 60, () => 100),
  zoneDay('nazionale', TODAY, 15, waves(120.123)),
  zoneDay('nazionale', TOMORROW, 15, waves(-20)),
  ...ALL_MARKET_ZONES.map((zone, i) => zoneDay(zone, TOMORROW, 60, () => 10 * i - 30)),
  zoneDay('nazionale', '2026-03-29', 15, (quarter) => quarter),
  zoneDay('nazionale', '2026-10-25', 15, (quarter) => 200 - quarter),
  zoneDay('nazionale', '2025-09-29', 60, (hour) => 50 + hour),
])
await service.seed([dailyPrice('PSV', '2026-11-19', 30.5), dailyPrice('PSV', TODAY, 31.25)], { source: 'gme-mgas' })
await service.seed([dailyPrice('Brent', '2026-11-14', 85.76)], { source: 'eia-brent' })
afterEach(() => service.setNow(NOW))

const page = (path = '/en/', headers = {}) => getPage(service.baseUrl, path, headers)
const cardOf = (html: string, code: string) => sliceBetween(html, `>${code}</a></h3>`, '</li>')
const chartOf = (html: string) => sliceBetween(html, '<figure class="bars hours"', '</figure>')
const todayOf = (html: string) => sliceBetween(html, '<h3>Today, ', '</section>')
const api = async (path: string) => (await service.ask(`/v1${path}`, { headers: { authorization } })).json()

describe('the cards of the indices', () => {
  it('show the values of GET /v1/today and the change from the day before', async () => {
    const { html, figures } = await page()
    const { values } = (await api('/today')) as { values: Record<string, Record<string, number>> }
    expect(Object.keys(values)).toEqual(['PUN', 'PSV', 'Brent'])
    for (const [code, { value, value_native: native }] of Object.entries(values)) {
      if (code === 'PUN') continue // tomorrow's is already published
      expect(figures).toContain(value)
      if (native !== undefined) expect(figures).toContain(native)
    }
    const psv = cardOf(html, 'PSV')
    expect(psv).toContain('>31.25</data> <span class="unit">€/MWh')
    expect(psv).toContain('+0.75 (+2.5%)')
    expect(psv).toContain('vs 19 Nov')
    expect(psv).toContain('class="sparkline"')
    expect(psv).toContain('<a href="https://www.mercatoelettrico.org">Gestore dei Mercati Energetici S.p.A. (GME)</a>')
  })

  it('show tomorrow’s PUN once it is published', async () => {
    const card = async () => cardOf((await page()).html, 'PUN')
    expect(await card()).toContain('<time datetime="2026-11-21">')
    expect(await card()).toContain('vs 20 Nov')
    service.setNow('2026-11-19T09:00:00Z')
    expect(await card()).toContain('<time datetime="2026-11-20">')
  })

  it('say that a price is missing instead of showing 0', async () => {
    const { html } = await page()
    expect(cardOf(html, 'TTF')).toContain('No price is stored.')
    expect(cardOf(html, 'TTF')).not.toContain('<data')
  })

  it('mark a price that is older than its publication calendar allows', async () => {
    expect(cardOf((await page()).html, 'PUN')).not.toContain('not up to date')
    service.setNow('2026-11-23T13:00:00Z')
    const { html } = await page()
    expect(cardOf(html, 'PUN')).toContain('21 Nov 2026, not up to date: 2 days old')
    expect(cardOf(html, 'PSV')).not.toContain('not up to date')
    service.setNow('2026-11-25T13:00:00Z')
    expect(cardOf((await page()).html, 'PSV')).toContain('20 Nov 2026, not up to date: 5 days old')
  })

  it('do not mention sample data if there are none', async () => {
    expect((await page()).html).not.toContain('Synthetic sample values')
  })
})

describe('the current price', () => {
  const now = async (path = '/en/') => sliceBetween((await page(path)).html, 'id="now"', '</section>')

  it('is that of this quarter-hour in c€/kWh, with its level and the time at which the level ends', async () => {
    const { quarters, stats } = (await api(`/pun/hourly?date=${TODAY}&granularity=quarter`)) as {
      quarters: { value: number; starts_at: string; ends_at: string }[]
      stats: { avg: number }
    }
    const at = quarters.findIndex(({ starts_at: start }) => start === '2026-11-20T14:30:00+01:00')
    const present = quarters[at] as (typeof quarters)[number]
    expect(Math.abs(present.value / stats.avg - 1)).toBeGreaterThan(0.1)
    const end = quarters.findIndex(({ value }, i) => i > at && value > 0.9 * stats.avg)
    const text = await now()
    expect(text).toContain('<h2>Now, 14:30–14:45, PUN</h2>')
    expect(text).toContain(`data-until="${present.ends_at}"`)
    expect(text).toContain(`<data value="${Number((present.value / 10).toFixed(6))}">`)
    expect(text).toContain(`cheap</strong> until ${quarters[end]?.starts_at.slice(11, 16)}</p>`)
    service.setNow('2026-11-20T13:45:00Z')
    expect(await now('/it/')).toContain('<h2>Adesso, 14:45–15:00, PUN</h2>')
  })

  it.each([
    ['2026-03-29T01:00:00Z', '03:00–03:15'],
    ['2026-10-25T00:30:00Z', '02:30 (+02:00)–02:45 (+02:00)'],
    ['2026-10-25T01:45:00Z', '02:45 (+01:00)–03:00'],
  ])('has the right interval across the daylight-saving change at %s', async (instant, span) => {
    service.setNow(instant)
    expect(await now()).toContain(`<h2>Now, ${span}, PUN</h2>`)
  })

  it('is hourly on a day without quarter-hours, and hidden if no price is stored', async () => {
    service.setNow('2025-09-29T10:20:00Z')
    expect(await now()).toContain('<h2>Now, 12:00–13:00, PUN</h2>')
    service.setNow('2026-11-22T10:00:00Z')
    expect((await page()).html).not.toContain('id="now"')
  })

  it('comes with the cheapest window ahead, as computed by the API; invalid values return 400', async () => {
    const found = (await api('/tools/cheapest-window?hours=4&zone=nord&deadline=07:00')) as {
      starts_at: string
      ends_at: string
      mean: number
    }
    const shown = sliceBetween((await page('/en/?hours=4&zone=nord&before=07:00')).html, 'id="window"', '</div>')
    expect(shown).toContain(`Tomorrow, ${found.starts_at.slice(11, 16)}–${found.ends_at.slice(11, 16)}</p>`)
    expect(shown).toContain(`<data value="${found.mean / 10}">`)
    for (const [hours, span] of [
      [1, '17:00–18:00</p>'],
      [2, '16:30–18:30</p>'],
    ]) {
      const { html } = await page(`/en/?hours=${hours}`)
      const result = sliceBetween(html, 'id="window"', '</div>')
      expect(result).toContain(span)
      expect(result.includes('(to the quarter-hour)')).toBe(hours === 2)
    }
    expect((await page('/en/?hours=8&before=15:00')).html).toContain('The published prices have no such hours.')
    for (const query of ['hours=7', 'before=25:00', 'before=', 'zone=milano'])
      expect((await fetch(`${service.baseUrl}/en/?${query}`)).status).toBe(400)
  })
})

describe('the summary of the day', () => {
  const answer = async (path = '/en/') => sliceBetween((await page(path)).html, 'class="card answer"', '</section>')

  it('covers tomorrow once it is published, compared with today', async () => {
    const text = await answer()
    expect(text).toContain('Tomorrow, Saturday 21 November')
    const { hours } = (await api(`/pun/hourly?date=${TOMORROW}`)) as {
      hours: { value: number; starts_at: string; ends_at: string }[]
    }
    const means = hours.slice(2).map((_, i) => hours.slice(i, i + 3).reduce((sum, { value }) => sum + value, 0) / 3)
    const from = means.indexOf(Math.min(...means))
    expect(text).toContain(`<dd>${hours[from]?.starts_at.slice(11, 16)}–${hours[from + 2]?.ends_at.slice(11, 16)} `)
    expect(Number(text.match(/<data value="([^"]*)"/)?.[1])).toBeCloseTo(Math.min(...means), 9)
    expect(text).toMatch(/\d% below today/)
  })

  it('covers today if tomorrow is not published, compared with yesterday', async () => {
    service.setNow('2026-11-21T09:00:00Z')
    expect(await answer('/it/')).toMatch(/Oggi, sabato 21 novembre.*% in meno di ieri/s)
  })

  it.each([
    ['2026-03-29', '00:00–04:00', '22:00–00:00'],
    ['2026-10-25', '21:00–00:00', '00:00–02:00 (+02:00)'],
  ])('has the right hours on the change day %s', async (day, cheapest, dearest) => {
    service.setNow(`${day}T10:00:00Z`)
    const text = await answer()
    expect(text).toContain(`<dd>${cheapest} <`)
    expect(text).toContain(`<dd>${dearest} <`)
  })

  it('names no cheapest hours if all prices are equal, and is omitted for a day with gaps', async () => {
    await service.seed([zoneDay('nazionale', '2026-11-10', 60, () => 100)])
    service.setNow('2026-11-10T09:00:00Z')
    const flat = await answer()
    expect(flat).toContain('<dt>Average</dt>')
    expect(flat).not.toContain('in a row')
    const day = zoneDay('nazionale', '2026-11-12', 60, (hour) => hour)
    await service.seed([{ ...day, prices: day.prices.slice(0, 20) }])
    service.setNow('2026-11-12T09:00:00Z')
    expect((await page()).html).not.toContain('class="card answer"')
  })
})

describe('the hours', () => {
  it.each(['hour', 'quarter'])('are those of the API for today and tomorrow, by %s', async (detail) => {
    const { html } = await page(`/en/?detail=${detail}`)
    for (const [name, date] of [
      ['Today, ', TODAY],
      ['Tomorrow, ', TOMORROW],
    ]) {
      const answer = await api(`/pun/hourly?date=${date}&granularity=${detail}`)
      const rows = (answer.hours ?? answer.quarters) as { value: number; starts_at: string; band: string }[]
      const card = sliceBetween(html, `<h3>${name}`, '</section>')
      const shown = [
        ...card.matchAll(
          /<time datetime="([^"]*)">[^<]*<\/time><\/td><td>(F\d)<\/td><td class="number"><data value="([^"]*)"/g,
        ),
      ]
      expect(shown.map(([, startsAt, band, value]) => ({ starts_at: startsAt, band, value: Number(value) }))).toEqual(
        rows.map(({ starts_at, band, value }) => ({ starts_at, band, value })),
      )
      const titles = [...chartOf(html).matchAll(/class="slot"[^>]*><title>(\d+)/g)]
      expect(titles.filter(([, dayOfMonth]) => date?.endsWith(`-${dayOfMonth}`))).toHaveLength(rows.length)
      const { min, max, avg } = answer.stats as Record<string, number>
      expect(figuresOf(sliceBetween(card, '<dl class="figures">', '</dl>'))).toEqual([avg, min, max])
    }
  })

  it('of both days are in one chart of 48 hours, on a scale that fits every price', async () => {
    const chart = chartOf((await page()).html)
    const steps = [...chart.matchAll(/<line class="(?:low|normal|high)" x1="([^"]*)" x2="([^"]*)" y1="([^"]*)"/g)]
    expect(steps.map(([, start, end]) => [Number(start), Number(end)])).toEqual(
      Array.from({ length: 48 }, (_, hour) => [hour, hour + 1]),
    )
    const heights = steps.map(([, , , y]) => Number(y))
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...heights)).toBeLessThanOrEqual(100)
    expect(chart).toContain('data-hours="48"')
  })

  it('in the past are shaded, with a dot at the current price', async () => {
    const chart = chartOf((await page()).html)
    expect(chart).toContain('<rect class="past" x="0" y="0" width="14.5"')
    expect(chart).toMatch(/<circle class="now" r="5" cx="30.21%" cy="[\d.]+%"\/>/)
  })

  it.each([
    ['2026-03-29', 'hour', 23, 23],
    ['2026-03-29', 'quarter', 23, 92],
    ['2026-10-25', 'hour', 25, 25],
    ['2026-10-25', 'quarter', 25, 100],
  ])('of the change day %s by %s: %i hours in %i intervals', async (day, detail, hours, intervals) => {
    service.setNow(`${day}T10:00:00Z`)
    const { html } = await page(`/en/?detail=${detail}`)
    expect(todayOf(html)).toContain(`Daylight-saving change: this day has ${hours} hours.`)
    expect(countMatches(html, STEP)).toBe(intervals)
    expect(html).toContain(`data-hours="${hours}"`)
  })

  it('of the October change day distinguish the two hours that begin at 02:00', async () => {
    service.setNow('2026-10-25T10:00:00Z')
    const { html } = await page()
    const table = sliceBetween(html, '<table>', '</table>')
    expect(table).toContain('>02:00 (+02:00)<')
    expect(table).toContain('>02:00 (+01:00)<')
    expect(table).toContain('>03:00<')
    const bars = chartOf(html)
    for (const start of ['02:00 (+02:00)', '02:00 (+01:00)', '03:00']) expect(bars).toContain(`<title>${start}: `)
  })

  it('of a day without quarter-hours are shown with a note if quarter-hours are requested', async () => {
    service.setNow('2025-09-29T10:00:00Z')
    const { html } = await page('/en/?detail=quarter')
    const card = todayOf(html)
    expect(card).toContain('Only hourly prices are available for this day.')
    expect(countMatches(html, STEP)).toBe(24)
  })

  it('of a day with gaps are shown without the missing ones and without an average', async () => {
    const day = zoneDay('nazionale', '2026-11-24', 60, (hour) => hour)
    await service.seed([{ ...day, prices: day.prices.slice(0, 20) }])
    service.setNow('2026-11-24T10:00:00Z')
    const { html } = await page()
    const card = todayOf(html)
    expect(card).toContain('20 of 24 intervals are available')
    expect(card).not.toContain('<dt>Average')
    expect(countMatches(html, STEP)).toBe(20)
  })

  it('not yet published are replaced by the usual time of publication', async () => {
    service.setNow('2026-11-21T09:00:00Z')
    expect(sliceBetween((await page()).html, '<h3>Tomorrow, ', '</section>')).toContain(
      'usually published at about 12:55 Rome time',
    )
  })
})

it('the zones are those of the API, Calabria among them', async () => {
  const { html } = await page()
  const { zones, national, date } = (await api('/pun/zones?zones=all')) as {
    zones: { code: string; value: number; spread_vs_pun: number }[]
    national: number
    date: string
  }
  expect(date).toBe(TOMORROW)
  expect(zones.map(({ code }) => code)).toEqual(ALL_MARKET_ZONES)
  const section = sliceBetween(html, 'id="zones"', '</section>')
  expect(section).toContain(`<data value="${national}">`)
  for (const { code, value, spread_vs_pun: spread } of zones) {
    const tile = sliceBetween(section, `zone ${code}`, '</li>')
    expect(tile).toContain(`<data value="${value}">`)
    expect(tile).toContain(`<data value="${spread}">`)
  }
})

describe('the stream of the home page', () => {
  it('is opened if tomorrow is missing, and reports publications of the PUN only', async () => {
    expect((await page()).html).not.toContain('data-awaits')
    service.setNow('2026-11-21T09:00:00Z')
    const { html } = await page()
    expect(html).toContain('data-awaits="2026-11-22" data-events="/events/days"')
    const left = new AbortController()
    const answer = await fetch(`${service.baseUrl}/events/days`, { signal: left.signal })
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    const told = eventsOf(answer)
    await told.next()
    await service.seed([zoneDay('nord', '2026-11-22', 60, () => 1), dailyPrice('TTF', '2026-11-22', 30)])
    await service.seed([zoneDay('nazionale', '2026-11-22', 60, () => 1)])
    expect((await told.next()).value).toBe('event: day.published\ndata: {"day":"2026-11-22"}')
    left.abort()
  })

  it('names tomorrow where it was published before the stream was opened', async () => {
    service.setNow('2026-11-21T13:00:00Z')
    const left = new AbortController()
    const told = eventsOf(await fetch(`${service.baseUrl}/events/days`, { signal: left.signal }))
    await told.next()
    expect((await told.next()).value).toBe('event: day.published\ndata: {"day":"2026-11-22"}')
    left.abort()
  })

  it('returns 429 above the limit per network address, and 200 after streams are closed', async () => {
    const left = new AbortController()
    const open = () => fetch(`${service.baseUrl}/events/days`, { signal: left.signal })
    const answers = await Promise.all(Array.from({ length: PAGES.streamsMax + 1 }, open))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(PAGES.streamsMax)
    expect(answers.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('30')
    left.abort()
    await expect.poll(async () => (await fetch(`${service.baseUrl}/events/days`, { method: 'HEAD' })).status).toBe(200)
  })
})

async function* eventsOf({ body }: Response): AsyncGenerator<string> {
  let text = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield text.slice(0, end)
      text = text.slice(end + 2)
    }
  }
}
