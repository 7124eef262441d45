import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TrackRecord } from '../../src/api/contract/forecasts.ts'
import { scoreForecasts } from '../../src/store/forecast-ledger.ts'
import { seedIssue } from '../support/forecasts.ts'
import { figuresOf, getPage, sliceBetween } from '../support/pages.ts'
import { dailyPrice } from '../support/prices.ts'
import { scratchFolderOfFile } from '../support/scratch-folder.ts'
import { serviceOfFile } from '../support/service.ts'

const folder = await scratchFolderOfFile()
const service = await serviceOfFile({ now: '2026-11-10T13:00:00Z' })
for (const [i, day] of ['01', '02', '03', '04', '05', '06', '07', '08', '09'].entries()) {
  const infoDate = `2026-11-${day}`
  await service.seed([dailyPrice('PUN', infoDate, i === 4 ? 180 : 100 + i)])
  const issuedAt = `${infoDate}T12:00:00Z`
  await seedIssue(service.sql, { asset: 'PUN', infoDate, issuedAt, p50: () => 103, days: 30 })
}
await scoreForecasts(service.sql, 'PUN', Temporal.Instant.from('2026-11-09T13:00:00Z'))
await service.seed([dailyPrice('PUN', '2026-11-10', 104)])

const page = (query = '') => getPage(service.baseUrl, `/en/forecasts${query}`)

const record = async (query: string) =>
  (await service.ask(`/v1/forecast/track-record?${query}`)).json() as unknown as TrackRecord

describe('the track record', () => {
  it.each([
    ['', 'asset=pun&from=2026-08-13&to=2026-11-10'],
    ['?range=30d&horizon=7', 'asset=pun&from=2026-10-12&to=2026-11-10&horizon=7'],
  ])('of /forecasts%s matches the API: summary, days and hash chain', async (query, same) => {
    const { html } = await page(query)
    const { records, summary, ledger } = await record(same)
    expect(records.length).toBeGreaterThan(1)
    const tiles = sliceBetween(html, '<dl class="tiles">', '</dl>')
    const { mae, rmae, coverage_80: coverage, pinball, bias, n } = summary as NonNullable<typeof summary>
    expect(figuresOf(tiles)).toEqual([mae, rmae, coverage, pinball, bias, n])
    const chart = sliceBetween(html, '<figure class="chart', '</figure>')
    const rows = [...chart.matchAll(/<tr><td><time datetime="([^"]*)">.*?<\/tr>/g)]
    expect(rows.map(([, date]) => date).toReversed()).toEqual(records.map(({ target_date: date }) => date))
    const [first = ['']] = rows.toReversed()
    const { actual, p10, p50, p90, error } = records[0] ?? {}
    expect(figuresOf(first[0])).toEqual([actual, p10, p50, p90, error])
    expect(html).toContain(ledger.head)
    expect(html).toContain(`<data value="${ledger.length}">`)
  })

  it('shows errors with their sign, and starts the worst days with the largest', async () => {
    const { html } = await page()
    const worst = sliceBetween(html, '>Worst days</h2>', '</table>')
    const [first = ''] = /<tr><td>.*?<\/tr>/.exec(worst) ?? []
    expect(first).toContain('datetime="2026-11-05"')
    for (const table of [first, sliceBetween(html, '<figure class="chart', '</figure>')])
      expect(table).toContain('<data value="-77">−77.00</data>')
  })

  it('has two download links that return 200 without a key', async () => {
    const { html } = await page('?range=30d')
    const links = [...html.matchAll(/<a class="button" href="(\/v1\/forecast[^"]*)"/g)].map(([, link = '']) =>
      link.replaceAll('&amp;', '&'),
    )
    expect(links).toHaveLength(2)
    for (const link of links) expect((await fetch(service.baseUrl + link)).status).toBe(200)
  })

  it('is verified by the Python code of the methodology, which detects a changed digit', async (context) => {
    if (spawnSync('python3', ['--version']).status !== 0) context.skip('there is no python3')
    const { html } = await getPage(service.baseUrl, '/docs/methodology')
    const code = sliceBetween(html, '>import hashlib, json', '</code>').slice(1).replaceAll('&#39;', "'")
    const check = async (text: string) => {
      await writeFile(path.join(folder, 'track-record.json'), text)
      return spawnSync('python3', ['-c', code], { cwd: folder, encoding: 'utf8' })
    }
    const text = JSON.stringify(await record('asset=pun&from=2026-10-11&to=2026-11-10'))
    expect(await check(text)).toMatchObject({ status: 0, stderr: '' })
    const changed = await check(text.replace('"p50":103', '"p50":104'))
    expect([changed.status, changed.stderr]).toEqual([1, expect.stringContaining('AssertionError')])
  })

  it('of an index without scored forecasts says so', async () => {
    const { html, status } = await page('?asset=ttf')
    expect(status).toBe(200)
    expect(html).toContain('No issued forecast in this range has been scored yet')
    expect(html).not.toContain('<dl class="tiles">')
  })
})

it.each(['?asset=brent', '?range=9y', '?horizon=0', '?asset=pun&asset=psv', '?x=1'])(
  '400 for /forecasts%s',
  async (query) => {
    expect((await page(query)).status).toBe(400)
  },
)
