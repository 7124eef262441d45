import { describe, expect, it } from 'vitest'
import { seedHours } from '../support/hourly-forecasts.ts'
import { getPage, sliceBetween } from '../support/pages.ts'
import { dailyPrice, zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const service = await serviceOfFile({ now: '2026-10-24T10:00:00Z' })
await service.seed([
  dailyPrice('PUN', '2026-10-24', 100),
  zoneDay('sici', '2026-10-24', 60, (hour) => 90 + hour),
  zoneDay('nazionale', '2026-10-24', 60, () => 100),
])
const issuedAt = '2026-10-23T18:00:00Z'
await seedHours(service.sql, { zone: 'sici', infoDate: '2026-10-24', issuedAt, issue: 'evening', days: 8 })

describe.each(['en', 'it'])('the hourly forecast page, in %s', (language) => {
  const page = async (query: string) => (await getPage(service.baseUrl, `/${language}/forecasts/hours${query}`)).html

  it('shows a fan chart and a table: published hours, then 25 forecast hours with their band', async () => {
    const html = await page('?zone=sici&days=1')
    const figure = sliceBetween(html, '<figure class="bars card">', '</figure>')
    const pointsOf = (of: string) =>
      (sliceBetween(figure, `class="${of}" points="`, '"/>').match(/[\d.]+,[\d.]+/g) ?? []).length
    expect([pointsOf('published'), pointsOf('median'), pointsOf('band')]).toEqual([24, 25, 50])
    const rows = [...html.matchAll(/<tr><td><time datetime="(2026-10-2[45]T[^"]*)">/g)].map(([, startsAt]) => startsAt)
    expect(rows).toHaveLength(49)
    expect(rows).toContain('2026-10-25T02:00:00+02:00')
    expect(rows).toContain('2026-10-25T02:00:00+01:00')
    expect(html).toContain('02:00 (+02:00)</time>')
    expect(html).toContain('02:00 (+01:00)</time>')
    expect(html).not.toContain('03:00 (')
    expect(sliceBetween(html, '<main', '</main>')).not.toMatch(/undefined|NaN/)
  })

  it('has a notice instead of a chart if no forecast was issued', async () => {
    expect(await page('')).toContain('<p class="notice">')
    expect(await page('')).not.toContain('class="bars card"')
  })
})
