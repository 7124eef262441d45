/** The trading page: figures of the API, limited history without a key and full history with one. */
import { describe, expect, it } from 'vitest'
import type { BacktestResult } from '../../src/api/contract/backtest.ts'
import type { BatteryResult } from '../../src/api/contract/battery.ts'
import type { Correlation, Vitals } from '../../src/api/contract/trading.ts'
import { sendJson } from '../contract/send-json.ts'
import { NOW, tradingHistory } from '../contract/trading/trading-history.ts'
import { figuresOf, getPage, sliceBetween, textOf } from '../support/pages.ts'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'

const service = await serviceOfFile({ now: NOW })
const headers = await service.asPlan('Trading')
await service.seed(tradingHistory())

const page = (query = '', given: Record<string, string> = {}) => getPage(service.baseUrl, `/en/trading${query}`, given)

describe('the trading page', () => {
  it.each([
    ['spark', 'spark_spread'],
    ['clean', 'clean_spark_spread'],
    ['psv-ttf', 'psv_ttf_spread'],
  ] as const)('has the %s spread of each day as the API has it', async (chart, field) => {
    const { html } = await page(`?chart=${chart}`)
    const table = sliceBetween(sliceBetween(html, 'id="history"', 'id="correlations"'), '<tbody>', '</tbody>')
    const shown = [...table.matchAll(/datetime="([^"]*)".*?<data value="([^"]*)"/g)]
    for (const date of ['2026-03-29', '2026-10-25', '2026-11-15', '2026-11-20']) {
      const vitals = (await service.ask(`/v1/trading/vitals?date=${date}`, { headers })).json() as unknown as Vitals
      const [, , value] = shown.find(([, day]) => day === date) ?? []
      expect([date, Number(value)]).toEqual([date, expect.closeTo(vitals[field], 4)])
    }
  })

  it('opens with the mean spreads of the last whole month, and the distribution of a pair', async () => {
    const october = Array.from({ length: 31 }, (_, i) => `2026-10-${String(i + 1).padStart(2, '0')}`)
    const september = october.slice(0, 30).map((date) => date.replace('-10-', '-09-'))
    await service.seed([
      ...september.flatMap((date) => [zoneDay('nord', date, 60, () => 90), zoneDay('sud', date, 60, () => 88)]),
      ...october.flatMap((date) => [zoneDay('nord', date, 60, (n) => 100 + n), zoneDay('sud', date, 60, () => 100)]),
    ])
    const { html } = await page('?zone_a=sud&zone_b=nord')
    const mean = (30 * 24 * 12.5 + 25 * 13) / 745
    const matrix = sliceBetween(html, '<table class="matrix">', '</table>')
    expect(matrix).toContain('South − North: −12.52" aria-current="true"')
    expect(figuresOf(sliceBetween(html, 'id="movers"', '</table>')).slice(0, 2)).toEqual([expect.closeTo(mean, 9), 2])
    expect(figuresOf(sliceBetween(html, 'id="distribution"', '</table>'))).toEqual([-22, -13, -3, 745])
  })

  it('shows the correlation matrix of the API and the selected pair', async () => {
    const { html } = await page('?a=psv&b=ttf')
    const section = sliceBetween(html, 'id="correlations"', 'id="pair"')
    const matrix = sliceBetween(section, '<table class="matrix">', '</table>')
    const path = '/v1/trading/correlation?window=90&assets=pun,psv,ttf,brent,co2'
    const { matrix: figures } = (await service.ask(path, { headers })).json() as unknown as Correlation
    expect(figuresOf(matrix)).toEqual(figures.flat())
    expect(matrix).toContain('aria-label="PSV and TTF')
    expect(html).toContain('<h3 id="pair">PSV and TTF</h3>')
  })

  it('shows the backtest of the API, and an error for invalid parameters', async () => {
    const { html } = await page('?strategy=sma_cross&index=pun&fast=5&slow=20&cost_bps=10')
    const tiles = sliceBetween(html, '<div id="backtest-result">', '</dl>')
    const body = { asset: 'pun', strategy: 'sma_cross', from: '2024-11-20', to: NOW.slice(0, 10) }
    const params = { fast: 5, slow: 20, cost_bps: 10 }
    const answer = await sendJson(service, '/v1/trading/backtest', { ...body, params }, headers)
    const { total_return_pct: total, trades } = answer.json() as unknown as BacktestResult
    const values = figuresOf(tiles)
    expect(values[0]).toBeCloseTo(total / 100, 5)
    expect(values.at(-1)).toBe(trades)
    const wrong = await page('?strategy=sma_cross&fast=50&slow=20')
    expect(textOf(sliceBetween(wrong.html, '<div id="backtest-result">', '</div>'))).toContain('must be less than slow')
  })

  it('shows the battery result of the API, and an error for invalid parameters', async () => {
    const { html } = await page('?power=2&energy=4&efficiency=90&cycles=1,5&from=2026-10-01&to=2026-11-10')
    const battery = { power_mw: 2, energy_mwh: 4, efficiency: 0.9, cycles_per_day: 1.5 }
    const body = { from: '2026-10-01', to: '2026-11-10', ...battery }
    const answer = await sendJson(service, '/v1/trading/battery', body, headers)
    const { perfect_foresight: perfect } = answer.json() as unknown as BatteryResult
    const found = sliceBetween(html, '<div id="battery-result">', '</figure>')
    expect(found).toContain(`<data value="${perfect.eur_mw_year}">`)
    expect(textOf(found)).toContain(`scaled from ${perfect.days} days with every price`)
    expect(textOf(found)).toContain('No hourly forecast of this zone')
    const wrong = await page('?efficiency=1')
    expect(textOf(sliceBetween(wrong.html, '<div id="battery-result">', '</div>'))).toContain(
      'efficiency must be at least 0.1',
    )
  })

  it('scales a year from a single day in the singular', async () => {
    for (const [language, text] of [
      ['en', 'a year is scaled from 1 day with every price.'],
      ['it', 'sono riportati da 1 giorno con tutti i prezzi.'],
    ]) {
      const { html } = await getPage(service.baseUrl, `/${language}/trading?from=2026-11-10&to=2026-11-10`)
      expect(textOf(html)).toContain(text)
    }
  })

  it('dates the ranges of the last 14 days, and draws each index in its own tone', async () => {
    const { html } = await page()
    const { date } = (await service.ask('/v1/trading/vitals', { headers })).json() as unknown as Vitals
    const section = sliceBetween(html, 'id="volatility"', 'id="battery"')
    expect(section.match(/<small><time datetime="[^"]*"/g)).toEqual(Array(2).fill(`<small><time datetime="${date}"`))
    const tones = [...section.matchAll(/swatch ([\w-]+)/g)].map(([, name]) => name)
    expect(tones).toEqual(['first', 'second', 'third'])
  })

  it('is limited to 731 days without a key, and varies by Authorization in shared caches', async () => {
    const { html, headers: sent } = await page()
    expect(html).toContain('Without a key this page reaches back 731 days. With a Trading key')
    expect(sent.get('vary')).toContain('Authorization')
    expect(sent.get('cache-control')).toContain('public')
  })

  it('shows every stored year with a Trading key, is not cached, and counts as one request of the key', async () => {
    const used = async () => Number((await service.ask('/v1/usage', { headers })).json().used)
    const before = await used()
    const { html, headers: sent } = await page('', headers)
    expect(html).toContain('Shown with your Trading key: every stored year.')
    expect(sent.get('cache-control')).toBe('private, no-store')
    expect((await page()).html).not.toContain('Shown with your Trading key')
    expect((await used()) - before).toBe(2)
  })

  it('names the plan of a key without full history, and returns 401 for an invalid key', async () => {
    const { key } = await service.issueKey('Developer')
    const { html } = await page('', { authorization: `Bearer ${key}` })
    expect(html).toContain('Your key is of the Developer plan')
    expect((await page('', { authorization: 'Bearer svc_live_wrong' })).status).toBe(401)
  })
})
