/** Past forecasts of a day: the page "was it right", and its content if there is only a replay. */
import { describe, expect, it } from 'vitest'
import { type ReplayedForecast, saveReplay } from '../../src/store/forecast-replays.ts'
import { seedIssue } from '../support/forecasts.ts'
import { getPage, sliceBetween, textOf } from '../support/pages.ts'
import { dailyPrice } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const service = await serviceOfFile({ now: '2026-11-10T13:00:00Z' })
for (const [i, day] of ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10'].entries()) {
  const infoDate = `2026-11-${day}`
  await service.seed([dailyPrice('PUN', infoDate, i === 4 ? 180 : 100 + i)])
  const issuedAt = Temporal.PlainDate.from(infoDate).subtract({ days: 1 }).toString()
  const p50 = (ahead: number) => 100 + ahead
  await seedIssue(service.sql, { asset: 'PUN', infoDate, issuedAt: `${issuedAt}T12:00:00Z`, p50, days: 30 })
}
await service.seed([dailyPrice('PSV', '2026-11-09', 30)])
await saveReplay(service.sql, {
  ...{ asset: 'PSV', synthetic: false, purpose: 'accuracy', codeVersion: '1.0.0' },
  madeAt: Temporal.Instant.from('2026-11-10T12:00:00Z'),
  forecasts: [...replayOf('2026-11-07', 3), ...replayOf('2026-11-08', 3)],
})

/** Issued the day before the info date. */
function replayOf(infoDate: string, days: number): ReplayedForecast[] {
  const info = Temporal.PlainDate.from(infoDate)
  return Array.from({ length: days }, (_, i) => ({
    ...{ role: 'published' as const, model: 'base', version: '1', infoDate, p10: 28, p50: 30 + i, p90: 33 },
    ...{ targetDate: info.add({ days: i + 1 }).toString(), horizonDays: i + 1, actual: i === 0 ? 30 : undefined },
    issuedAt: Temporal.Instant.from(`${info.subtract({ days: 1 })}T19:00:00Z`),
  }))
}

const page = (query: string, language = 'en') => getPage(service.baseUrl, `/${language}/forecasts/past${query}`)
const verdictOf = async (query: string, language?: string) => {
  const { html } = await page(query, language)
  return textOf(sliceBetween(html, '<p class="verdict', '</p>'))
}

describe('the past-forecasts page', () => {
  it('compares the forecast issued a given number of days before with the price', async () => {
    expect(await verdictOf('?day=2026-11-09&ago=4')).toBe(
      'The forecast of 5 Nov 2026 said 103.00 €/MWh for Monday 9 November, 80% band 93.00 to 115.00. The price was 108.00 €/MWh: inside the band, the error −5.00.',
    )
    expect(await verdictOf('?day=2026-11-05&ago=3')).toContain('The price was 180.00 €/MWh: outside the band')
    expect(await verdictOf('?day=2026-11-09&ago=4', 'it')).toContain('La previsione del 5 nov 2026 diceva 103,00 €/MWh')
  })

  it('defaults to today and the issue of a week before, and says if the price is not known yet', async () => {
    expect(await verdictOf('')).toContain('The forecast of 3 Nov 2026 said')
    expect(await verdictOf('?day=2026-11-12')).toContain('The price is not known yet.')
  })

  it('shows the nearest issue where none was made on that day, and says so', async () => {
    const { html } = await page('?day=2026-11-09&ago=30')
    expect(html).toContain('Nothing was issued on that day; shown is the issue of 9 days before.')
  })

  it('lists every issue, latest first', async () => {
    const { html } = await page('?day=2026-11-05')
    const table = sliceBetween(html, 'id="every"', '</table>')
    expect([...table.matchAll(/<tr><td><time datetime="(\d+-\d+-\d+)/g)].map(([, day]) => day)).toEqual([
      '2026-11-03',
      '2026-11-02',
      '2026-11-01',
      '2026-10-31',
    ])
  })

  it('uses the replay if nothing was issued, and says so', async () => {
    const { html } = await page('?asset=psv&day=2026-11-09&ago=2')
    expect(textOf(sliceBetween(html, '<p class="verdict', '</p>'))).toContain('The forecast of 7 Nov 2026 said 30.00')
    expect(html).toContain('This is from a replay')
  })

  it('says that a day has no forecast, and returns 400 for invalid parameters', async () => {
    expect((await page('?day=2020-01-01')).html).toContain('There is no forecast of this day.')
    for (const wrong of ['?day=2026-02-30', '?ago=0', '?ago=31', '?asset=co2'])
      expect((await page(wrong)).status).toBe(400)
  })
})

describe('the track record before anything issued is scored', () => {
  it('shows the replay in tiles, chart and tables, marked as a replay', async () => {
    const { html } = await getPage(service.baseUrl, '/en/forecasts?asset=psv')
    expect(html).toContain('<strong>Replay:</strong> forecasts recomputed afterwards for 2 past days')
    const tiles = sliceBetween(html, '<dl class="tiles">', '</dl>')
    expect(tiles).toContain('<data value="2">')
    const rows = sliceBetween(html, '<figure class="chart', '</figure>').match(/<tr><td><time/g)
    expect(rows).toHaveLength(3) // as in the API: the two that are scored, and the day without a known price
    expect(sliceBetween(html, 'id="calibration"', '</figure>')).toContain('<data value="1">100%</data>')
  })
})
