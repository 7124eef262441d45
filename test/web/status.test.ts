/** The status page: what is there, what is missing, how fast, what waits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { startTestService, type TestService } from '../support/service.ts'

const ZONES = ['nazionale', 'nord', 'cnor', 'csud', 'sud', 'cala', 'sici', 'sard'] as const

let service: TestService
beforeAll(async () => {
  service = await startTestService({
    now: '2026-11-02T15:00:00Z',
    queueDepths: [
      { queue: 'aggregates.refresh', waiting: 3, active: 1 },
      { queue: 'aggregates.refresh.dead', waiting: 2, active: 0 },
      { queue: 'of another making', waiting: 9, active: 9 },
    ],
  })
})
afterAll(() => service.stop())

const open = async (path = '/en/status') => (await fetch(service.baseUrl + path)).text()
const rowOf = (html: string, date: string) =>
  new RegExp(`<tr><th scope="row"><time datetime="${date}">.*</tr>`).exec(html)?.[0]

describe('the status page', () => {
  it('says before there are data that everything is missing that is due; oil is listed late', async () => {
    const html = await open()
    expect(html).toContain('Not complete in the last seven days: PUN, Zones, PSV, TTF, CO2.')
    expect(html).toContain('PUN: 0 of 30 days complete')
  })

  it('counts days of 25 hours by their own hours', async () => {
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

  it('has the freshness that the API has', async () => {
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

  it('shows response times of the requested endpoints, and the jobs with permanent failures', async () => {
    await service.ask('/v1/plans')
    await service.seed([dailyPrice('Brent', '2026-10-30', 70)])
    const html = await open()
    expect(html).toMatch(
      /<code>GET \/v1\/plans<\/code><\/th><td class="number"><data value="\d+">\d+<\/data><\/td><td class="number">[\d.]+ ms/,
    )
    const [row = ''] = /<tr>.*aggregates\.refresh<.*<\/tr>/.exec(html) ?? []
    expect([...row.matchAll(/<data value="(\d+)">/g)].map(([, value]) => value)).toEqual(['3', '1', '2'])
    expect(html).not.toContain('of another making')
  })

  it('exists in Italian', async () => {
    const html = await open('/it/status')
    expect(html).toContain('<h1>Stato</h1>')
    expect(rowOf(html, '2026-10-26')).toContain('23,50 ore su 24')
  })
})
