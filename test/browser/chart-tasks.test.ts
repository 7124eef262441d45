/** Common tasks in Chromium on a phone, with the number of actions they need; skipped without Chromium. */
import { describe, expect, it } from 'vitest'
import { ALL_MARKET_ZONES, NATIONAL_ZONE } from '../../src/market/zones.ts'
import { hasChromium } from '../support/browser.ts'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'
import { boxOf, browserOfFile, download, parameter, visitBefore, visitsTo, zoomIn } from './visitor.ts'

const TODAY = Temporal.PlainDate.from('2026-11-20')
const PHONE = { width: 390, height: 844 }
/** Longer than the chart's delay before it copies its days into the fields. */
const SETTLED_MS = 500
const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, i) => Temporal.PlainDate.from(first).add({ days: i }).toString())

const service = await serviceOfFile({ now: `${TODAY}T13:30:00Z` })
const visit = visitsTo(service, await browserOfFile(), { viewport: PHONE, hasTouch: true })
await service.seed([
  ...[...daysFrom('2024-12-01', 90), ...daysFrom('2025-12-01', 90)].map((day) =>
    zoneDay(NATIONAL_ZONE, day, 60, (hour) => (day < '2025-06-01' ? 100 : 120) + hour),
  ),
  ...daysFrom('2026-03-01', 31).map((day) => zoneDay(NATIONAL_ZONE, day, 60, (hour) => 50 + hour)),
  ...daysFrom('2026-10-15', 38).map((day) => zoneDay(NATIONAL_ZONE, day, 60, (hour) => 80 + ((hour + 11) % 24))),
  ...ALL_MARKET_ZONES.map((zone, i) => zoneDay(zone, TODAY.toString(), 60, (hour) => 80 + hour + 3 * i)),
])

describe.skipIf(!hasChromium)('a reader on a phone', () => {
  it('finds tomorrow’s three cheapest hours on the home page without any action', async () => {
    const page = await visit('/en/')
    const answer = page.locator('.answer:not(.present)')
    expect(await answer.locator('h2').textContent()).toBe('Tomorrow, Saturday 21 November')
    expect(await answer.locator('dd').first().textContent()).toMatch(/^12:00–15:00/)
    expect(await answer.locator('dd').first().isVisible()).toBe(true)
  })

  it('finds the PUN in F3 in March with one tap', async () => {
    const page = await visit('/en/')
    await page.getByRole('link', { name: 'Bill', exact: true }).click()
    const row = page.locator('tr', { has: page.locator('time[datetime="2026-03"]') })
    await row.waitFor()
    const cell = row.locator('td').nth(4)
    expect(await page.locator('th[scope="col"]').nth(4).textContent()).toBe('F3')
    const answer = await service.ask('/v1/pun/bands?from=2026-03&to=2026-03', {
      headers: await service.asPlan('API'),
    })
    const { months } = answer.json() as { months: { f3: { value: number } }[] }
    expect(Number(await cell.locator('data').getAttribute('value'))).toBe(months[0]?.f3.value)
  })

  it('compares this winter with the last in six actions, and the URL keeps the comparison', async () => {
    const page = await visit('/en/')
    await page.getByRole('link', { name: 'PUN', exact: true }).first().click()
    await page.locator('summary', { hasText: 'What the chart shows' }).click()
    await page.getByLabel('From', { exact: true }).fill('2025-12-01')
    await page.getByLabel('To', { exact: true }).fill('2026-02-28')
    await page.getByLabel('Lay the year before over it').click()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.waitForURL(/from=2025-12-01&to=2026-02-28/)
    const chart = page.locator('figure.chart').first()
    await expect.poll(() => chart.locator('.key').textContent()).toContain('PUN, a year before')
    await chart.locator('.u-over').hover({ position: { x: 150, y: 100 } })
    await expect
      .poll(() => chart.locator('.readout').textContent())
      .toMatch(/PUN 132\.50 · PUN, a year before 112\.50 €\/MWh$/)
  })

  it('keeps dates entered before the chart is drawn', async () => {
    const { page, release } = await visitBefore(visit, 'charts', '/en/prices/pun')
    await page.locator('summary', { hasText: 'What the chart shows' }).click()
    const from = page.getByLabel('From', { exact: true })
    await from.fill('2025-12-01')
    release()
    await page.locator('figure.chart canvas').first().waitFor()
    await page.waitForTimeout(SETTLED_MS)
    expect(await from.inputValue()).toBe('2025-12-01')
  })

  it('downloads a chart: CSV of the whole range with one tap, CSV of the zoomed range, and PNG', async () => {
    const page = await visit('/en/prices/pun?from=2025-12-01&to=2026-02-28')
    const chart = page.locator('figure.chart').first()
    await chart.locator('canvas').waitFor()
    const csv = () => download(page, () => chart.getByRole('link', { name: 'CSV of what you see' }).click())
    const all = await csv()
    expect(all.name).toBe('pun_2025-12-01_2026-02-28.csv')
    expect(all.lines).toHaveLength(91)

    await zoomIn(page, chart)
    await expect.poll(() => parameter(page, 'from')).toMatch(/^2025-12-2/)
    const { lines } = await csv()
    expect(lines.length).toBeGreaterThan(15)
    expect(lines.length).toBeLessThan(30)
    const picture = await download(page, () => chart.getByRole('button', { name: 'Picture (PNG)' }).click())
    expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG')
    await chart.getByRole('button', { name: 'Whole range' }).click()
    await expect.poll(() => parameter(page, 'from')).toBe('2025-12-01')
  })

  it('zooms by spreading two fingers or dragging one, which updates the URL', async () => {
    const page = await visit('/en/prices/pun?from=2025-12-01&to=2026-02-28')
    const over = page.locator('figure.chart').first().locator('.u-over')
    const box = await boxOf(over)
    const browserOf = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', shares: number[]) =>
      browserOf.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: shares.map((share, id) => ({ x: box.x + box.width * share, y: box.y + 60, id })),
      })
    const daysSeen = () => {
      const [from, to] = ['from', 'to'].map((name) => Temporal.PlainDate.from(parameter(page, name) ?? ''))
      return (from as Temporal.PlainDate).until(to as Temporal.PlainDate).days + 1
    }
    expect(daysSeen()).toBe(90)
    await touch('touchStart', [0.4, 0.6])
    await touch('touchMove', [0.3, 0.7])
    await touch('touchMove', [0.2, 0.8])
    await touch('touchEnd', [])
    await expect.poll(daysSeen).toBeLessThan(35) // a third of the days shown before
    const afterTwo = daysSeen()
    expect(afterTwo).toBeGreaterThan(25)
    await touch('touchStart', [0.25])
    await touch('touchMove', [0.5])
    await touch('touchMove', [0.75])
    await touch('touchEnd', [])
    await expect.poll(daysSeen).toBeLessThan(afterTwo * 0.6)
    await page.getByRole('button', { name: 'Whole range' }).first().click()
    await expect.poll(daysSeen).toBe(90)
  })

  it('tells the two hours of a change day apart', async () => {
    const page = await visit('/en/prices/pun?from=2026-10-25&to=2026-10-25&detail=hour')
    const chart = page.locator('figure.chart').first()
    const over = chart.locator('.u-over')
    const { width } = await boxOf(over)
    const read = async (hour: number) => {
      await over.hover({ position: { x: (width * hour) / 24, y: 50 } })
      return chart.locator('.readout').textContent()
    }
    await expect.poll(() => read(2)).toContain('25 Oct 2026, 02:00 (+02:00): ')
    await expect.poll(() => read(3)).toContain('25 Oct 2026, 02:00 (+01:00): ')
    await expect.poll(() => read(4)).toContain('25 Oct 2026, 03:00: ')
    expect(await chart.locator('time').allTextContents()).toContain('25 Oct 2026, 02:00 (+01:00)')
  })

  it.each(['day', 'hour'])('sees no line where prices are missing, by %s', async (detail) => {
    const page = await visit(`/en/prices/pun?from=2026-03-01&to=2026-11-15&detail=${detail}`)
    const chart = page.locator('figure.chart').first()
    await chart.locator('canvas').waitFor()
    const swatch = await chart.locator('.swatch').evaluate((one) => getComputedStyle(one, '::before').backgroundColor)
    const inked = (canvas: HTMLElement | SVGElement, color: string) => {
      const { width, height } = canvas as HTMLCanvasElement
      const pen = (canvas as HTMLCanvasElement).getContext('2d') as CanvasRenderingContext2D
      const { data } = pen.getImageData(0, 0, width, height)
      const columns = Array.from({ length: width }, (_, x) =>
        Array.from({ length: height }, (_, y) => data.slice(4 * (y * width + x), 4 * (y * width + x) + 3).join(', ')),
      )
      return columns.map((pixels) => pixels.some((pixel) => `rgb(${pixel})` === color))
    }
    const line = await chart.locator('canvas').evaluate(inked, swatch)
    expect(line.slice(line.length * 0.35, line.length * 0.6)).not.toContain(true) // May to August
    expect(line.slice(line.length * 0.1, line.length * 0.2)).toContain(true)
  })

  it('downloads the CSV with one tap without JavaScript', async () => {
    const page = await visit('/en/prices/pun?from=2025-12-01&to=2026-02-28', { javaScriptEnabled: false })
    const { lines } = await download(page, () => page.getByRole('link', { name: 'CSV of what you see' }).click())
    expect(lines).toHaveLength(91)
  })

  it('steps through the hours of the zone map by keyboard and playback, which updates the URL', async () => {
    const page = await visit('/en/zones?date=2026-11-20')
    const hour = () => parameter(page, 'hour')
    const north = page.locator('text[data-zone="sici"] .value')
    const before = await north.textContent()
    await page.getByRole('slider', { name: 'Hour' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(hour).toBe('1')
    await expect.poll(() => page.locator('[data-part="hour"]').textContent()).toBe('00:00–01:00')
    await expect.poll(() => north.textContent()).not.toBe(before)
    await page.getByRole('button', { name: 'Play' }).click()
    await expect.poll(async () => Number(hour())).toBeGreaterThanOrEqual(3)
    await page.getByRole('button', { name: 'Pause' }).click()
  })

  it('reads the price of an hour on the heat map by touch and by keyboard', async () => {
    const page = await visit('/en/prices/pun/hours?period=2026-11')
    const map = page.locator('figure.heat svg')
    await map.click({ position: { x: 3, y: 3 } })
    const readout = page.locator('figure.heat .readout')
    await expect.poll(() => readout.textContent()).toMatch(/1 November 2026, 00:00: 92\.00 €\/MWh$/)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => readout.textContent()).toMatch(/, 01:00: 93\.00 €\/MWh$/)
  })
})
