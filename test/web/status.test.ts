/** The status page: available, missing and late data. */
import { describe, expect, it } from 'vitest'
import { sliceBetween } from '../support/pages.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const ZONES = ['nazionale', 'nord', 'cnor', 'csud', 'sud', 'cala', 'sici', 'sard'] as const

const service = await serviceOfFile({
  now: '2026-11-02T15:00:00Z',
})

const open = async (path = '/en/status') => (await fetch(service.baseUrl + path)).text()
const rowOf = (html: string, date: string) =>
  new RegExp(`<tr><th scope="row"><time datetime="${date}">.*</tr>`).exec(html)?.[0]

describe('the status page', () => {
  it('reports every series that is due as missing before any data is stored; Brent is not due yet', async () => {
    const html = await open()
    expect(html).toContain('Not complete in the last seven days: PUN, Zones, PSV, TTF, CO2.')
    expect(html).toContain('PUN: 0 of 30 days complete')
  })

  it('counts a 25-hour day as complete with its 25 hours', async () => {
    await service.seed(ZONES.map((zone) => zoneDay(zone, '2026-10-25', 15, () => 90)))
    await service.seed([
      zoneDay('nazionale', '2026-10-26', 15, (ordinal) => (ordinal <= 94 ? 90 : undefined)),
      dailyPrice('PSV', '2026-10-25', 30),
    ])
    const html = await open()
    const [long, short] = [rowOf(html, '2026-10-25'), rowOf(html, '2026-10-26')]
    expect(long).toMatch(
      /<td class="number">25<\/td><td class="state whole">complete<\/td><td class="state whole">complete/,
    )
    expect(long).toMatch(/<td class="state whole">complete<\/td><td class="state closed">no market/)
    expect(short).toMatch(/<td class="number">24<\/td><td class="state partial">23.50 of 24 hours<\/td>/)
    expect(html).toContain('PUN: 1 of 30 days complete')
  })

  it('shows the freshness of GET /v1/status', async () => {
    const { sources } = (await service.ask('/v1/status')).json() as {
      sources: { name: string; terms: string; series: { fetched_at: string; latest_market_day: string }[] }[]
    }
    const html = await open()
    for (const { terms, series } of sources) {
      expect(html).toContain(terms.replaceAll('"', '&quot;').replaceAll("'", '&#39;'))
      for (const { latest_market_day: day } of series.filter((one) => one.latest_market_day < '2026-10-26'))
        expect(html).toContain(`datetime="${day}"`)
    }
  })

  it('lists missing data by day, without internals such as job names', async () => {
    const html = await open()
    const incidents = sliceBetween(html, 'id="incidents"', '</ul>')
    expect(incidents).toContain('<li>PUN: no data for 2 Nov, 1 Nov, 31 Oct, 30 Oct, 29 Oct and')
    expect(incidents).toContain('<li>PUN: incomplete on 26 Oct.</li>')
    for (const inner of ['aggregates.refresh', 'p95', '/v1/plans']) expect(html).not.toContain(inner)
  })

  it('exists in Italian', async () => {
    const html = await open('/it/status')
    expect(html).toContain('<h1>Stato</h1>')
    expect(rowOf(html, '2026-10-26')).toContain('23,50 ore su 24')
  })
})
