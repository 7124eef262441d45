/** Pages whose scripts and data arrive late, out of order or not at all, in Chromium; skipped without it. */
import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasChromium } from '../support/browser.ts'
import { serviceOfFile } from '../support/service.ts'
import { SITE_NOW, seedPastForecasts, seedSite } from '../support/site.ts'
import {
  browserOfFile,
  denyStorage,
  download,
  hold,
  parameter,
  storedKey,
  useKey,
  visitBefore,
  visitsTo,
  zoomIn,
} from './visitor.ts'

const DESKTOP = { width: 1280, height: 900 }
const UNAVAILABLE = { status: 503, contentType: 'text/html', body: '<h1>Service Unavailable</h1>' }
/** Chromium's own console messages for failed requests. */
const provoked = /status of 503|net::ERR_FAILED/

const service = await serviceOfFile({ now: SITE_NOW.toString() })
const visit = visitsTo(service, await browserOfFile(), { viewport: DESKTOP })
await seedSite(service)
await seedPastForecasts(service)

describe.skipIf(!hasChromium)('on a slow line', () => {
  const fetched = (request: Request) => request.resourceType() === 'fetch'

  describe('an API key', () => {
    it('entered before the script loads stays in its field and out of the URL', async () => {
      const { key } = await service.issueKey('API')
      const { page, release } = await visitBefore(visit, 'key', '/en/usage')
      await page.getByLabel('API key').fill(key)
      await page.keyboard.press('Enter')
      release()
      await page.getByRole('button', { name: 'Use this key' }).click()
      await page.getByText('Used this month').waitFor()
      expect(page.url()).toBe(`${service.baseUrl}/en/usage`)
    })

    it('is not reported as invalid if the service returns 503', async () => {
      const { key } = await service.issueKey('API')
      const page = await visit('/en/usage', { provoked })
      await page.route('**/usage', (route) =>
        fetched(route.request()) ? route.fulfill(UNAVAILABLE) : route.continue(),
      )
      await useKey(page, key)
      await page.getByText('The service did not answer').waitFor()
      expect(await page.getByText('This key is not valid here').isVisible()).toBe(false)
      await page.unroute('**/usage')
      await page.getByRole('button', { name: 'Use this key' }).click()
      await page.getByText('Used this month').waitFor()
      expect(await page.getByText('The service did not answer').isVisible()).toBe(false)
    })

    it('entered last is used and stored, in whichever order the responses arrive', async () => {
      const [first, second] = [await service.issueKey('API'), await service.issueKey('Trading')]
      const page = await visit('/en/usage')
      const late = await hold(page, fetched)
      await useKey(page, first.key)
      const request = await late.arrived
      await useKey(page, second.key)
      await page.getByText('Trading plan').first().waitFor()
      const answered = page.waitForEvent('requestfinished', (one) => one === request)
      late.release()
      await answered
      await page.evaluate(() => new Promise(requestAnimationFrame))
      expect(await storedKey(page)).toBe(second.key)
      expect(await page.locator('#used').textContent()).toMatch(/Trading plan$/)
    })

    it('updates the page without losing input entered in the meantime', async () => {
      const page = await visit()
      const { key } = await service.issueKey('Trading')
      await page.addInitScript((key) => localStorage.setItem('api-key', key), key)
      const late = await hold(page, (request) => fetched(request) && request.headers().authorization !== undefined)
      await page.goto('/en/trading')
      await late.arrived
      await page.locator('#fast').fill('12')
      await expect.poll(() => parameter(page, 'fast')).toBe('12')
      late.release()
      await page.getByText('Shown with your Trading key').waitFor()
      expect(await page.locator('#fast').inputValue()).toBe('12')
      expect(await page.locator('output[for=fast]').textContent()).toBe('12')
      expect(parameter(page, 'fast')).toBe('12')
    })

    it('can be used and rotated if the browser denies local storage', async () => {
      const { key } = await service.issueKey('API')
      const page = await visit('/en/usage', { prepare: denyStorage })
      await useKey(page, key)
      await page.getByRole('button', { name: 'Issue a new key now' }).click()
      await expect.poll(() => page.locator('[data-new-key]').textContent()).toMatch(/^svc_live_/)
    })

    it('can be rotated again after a failed rotation', async () => {
      const { key } = await service.issueKey('API')
      const page = await visit('/en/usage', { provoked })
      await useKey(page, key)
      await page.route('**/keys/rotate', (route) => route.fulfill(UNAVAILABLE), { times: 1 })
      const replace = page.getByRole('button', { name: 'Issue a new key now' })
      await replace.click()
      await page.getByText('The key could not be replaced').waitFor()
      await replace.click()
      await expect.poll(() => page.locator('[data-new-key]').textContent()).toMatch(/^svc_live_/)
    })
  })

  describe('a live form', () => {
    const PAST = '/en/forecasts/past?asset=pun&day=2026-11-17&ago=3'

    it('applies input entered before its script loads', async () => {
      const { page, release } = await visitBefore(visit, 'live', PAST)
      await page.getByLabel('Days before').fill('2')
      release()
      await expect.poll(() => parameter(page, 'ago')).toBe('2')
      expect(await page.locator('.verdict').textContent()).toContain('The forecast of 15 Nov')
    })

    it('marks its result as outdated if the update fails, and can still be submitted', async () => {
      const page = await visit(PAST, { provoked })
      await page.locator('#said canvas').waitFor()
      await page.route('**/past?*', (route) =>
        fetched(route.request()) ? route.fulfill(UNAVAILABLE) : route.continue(),
      )
      await page.getByLabel('Days before').fill('2')
      await page.locator('#said[aria-busy]').waitFor()
      expect(parameter(page, 'ago')).toBe('3')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.waitForURL(/ago=2/)
      await page.locator('#said:not([aria-busy]) canvas').waitFor()
      expect(await page.locator('.verdict').textContent()).toContain('The forecast of 15 Nov')
    })

    it('updates links, language switch and chart tools, and keeps its table open', async () => {
      const page = await visit(PAST)
      await page.locator('#said canvas').waitFor()
      await page.getByText('Show as a table').click()
      await page.getByLabel('Days before').fill('2')
      await expect.poll(() => parameter(page, 'ago')).toBe('2')
      await page.locator('#said canvas').waitFor()
      expect(await page.locator('#said details').evaluate((one) => (one as HTMLDetailsElement).open)).toBe(true)
      expect(await page.getByRole('link', { name: 'PSV', exact: true }).last().getAttribute('href')).toContain('ago=2')
      const { lines } = await download(page, () => page.getByRole('link', { name: 'CSV of what you see' }).click())
      expect(lines[0]).toMatch(/^date;/)
      await page.getByRole('link', { name: 'IT', exact: true }).click()
      await page.waitForURL(/\/it\/forecasts\/past/)
      expect(parameter(page, 'ago')).toBe('2')
    })
  })

  describe('the zone map', () => {
    it('shows an hour chosen before its script loads', async () => {
      const { page, release } = await visitBefore(visit, 'zones', '/en/zones?date=2026-11-21')
      await page.locator('#hour').selectOption('5')
      release()
      await expect.poll(() => page.locator('[data-part="hour"]').textContent()).toBe('04:00–05:00')
      await expect.poll(() => parameter(page, 'hour')).toBe('5')
    })

    it('keeps the hour for the previous day and the other language, with the displayed day in the URL', async () => {
      const page = await visit('/en/zones?date=2026-11-21')
      await page.locator('#date').fill('2026-11-01')
      await page.getByRole('slider', { name: 'Hour' }).fill('7')
      await expect.poll(() => parameter(page, 'hour')).toBe('7')
      expect(parameter(page, 'date')).toBe('2026-11-21')
      await page.getByRole('link', { name: 'IT', exact: true }).click()
      await page.waitForURL(/\/it\/zones/)
      expect(parameter(page, 'hour')).toBe('7')
      await page.getByRole('slider').fill('8')
      await expect.poll(() => parameter(page, 'hour')).toBe('8')
      await page.locator('.steps button').first().click()
      await page.waitForURL(/date=2026-11-20/)
      expect(parameter(page, 'hour')).toBe('8')
    })
  })

  describe('a chart', () => {
    it.each(['uplot', 'charts'])('is replaced by its table if %s does not load', async (name) => {
      const prepare = (page: Page) => page.route(`**/assets/${name}.*`, (route) => route.abort())
      const page = await visit('/en/prices/pun?range=30d', { prepare, provoked })
      const figure = page.locator('figure.chart').first()
      await figure.locator('table').waitFor()
      expect(await figure.locator('.plot').isVisible()).toBe(false)
      expect(await figure.getByRole('link', { name: 'CSV of what you see' }).isVisible()).toBe(true)
      expect(await figure.getByRole('button').filter({ visible: true }).count()).toBe(0)
    })

    it('of a single day is shown as a table', async () => {
      const page = await visit('/en/prices/pun?from=2026-11-20&to=2026-11-20')
      const figure = page.locator('figure.chart').first()
      await figure.locator('table').waitFor()
      expect(await figure.locator('.plot').isVisible()).toBe(false)
    })

    it('of hours shows and exports daily means if its CSV fails to load', async () => {
      const prepare = (page: Page) => page.route('**/prices/pun.csv*', (route) => route.fulfill(UNAVAILABLE))
      const page = await visit('/en/prices/pun?detail=hour&from=2026-10-01&to=2026-11-20', { prepare, provoked })
      const figure = page.locator('figure.chart').first()
      await figure.locator('.u-over').hover()
      await expect.poll(() => figure.locator('.readout').textContent()).toMatch(/^\d+ \w+ 2026: Price/)
      const { lines } = await download(page, () => figure.getByRole('link', { name: 'CSV of what you see' }).click())
      expect(lines.slice(0, 2)).toEqual([expect.stringMatching(/^date;/), expect.stringMatching(/^2026-10-01;/)])
    })

    it('focuses the last day if it is before the first, and keeps its value', async () => {
      const page = await visit('/en/prices/pun?range=30d')
      await page.locator('figure.chart canvas').first().waitFor()
      await page.getByText('What the chart shows', { exact: true }).click()
      await page.getByLabel('From', { exact: true }).fill('2026-11-20')
      const to = page.getByLabel('To', { exact: true })
      await to.fill('2026-11-01')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('history-to')
      expect(await to.inputValue()).toBe('2026-11-01')
      await to.fill('2026-11-21')
      await page.getByRole('button', { name: 'Show', exact: true }).click()
      await page.waitForURL(/from=2026-11-20&to=2026-11-21/)
    })

    it('keeps its zoom when the theme, the window size or the language changes', async () => {
      const page = await visit('/en/prices/pun?range=30d')
      const figure = page.locator('figure.chart').first()
      await zoomIn(page, figure)
      await expect.poll(() => parameter(page, 'from')).not.toBeNull()
      const { search } = new URL(page.url())
      await page.getByRole('button', { name: 'Light or dark' }).click()
      await page.setViewportSize({ width: 700, height: 900 })
      expect(await figure.getByRole('button', { name: 'Whole range' }).isVisible()).toBe(true)
      expect(new URL(page.url()).search).toBe(search)
      await page.getByRole('link', { name: 'IT', exact: true }).click()
      await page.waitForURL(/\/it\//)
      expect(new URL(page.url()).search).toBe(search)
    })
  })

  it('the heat map reports that its prices failed to load, and retries', async () => {
    const prepare = (page: Page) =>
      page.route('**/prices/pun.csv*', (route) => route.fulfill(UNAVAILABLE), { times: 1 })
    const page = await visit('/en/prices/pun/hours?period=2026-11', { prepare, provoked })
    const readout = page.locator('figure.heat .readout')
    await page.locator('figure.heat svg').focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => readout.textContent()).toBe('The prices did not arrive; try again.')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => readout.textContent()).toMatch(/2 November 2026, 00:00: [\d.]+ €\/MWh$/)
  })

  it('the theme can be switched before other scripts load, and is applied when a page is restored', async () => {
    const { page, release } = await visitBefore(visit, 'uplot', '/en/prices/pun', { colorScheme: 'light' })
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
    await page.locator('#theme[aria-pressed]').click()
    expect(await theme()).toBe('dark')
    release()
    await page.locator('figure.chart canvas').first().waitFor()
    await page.evaluate(() => {
      localStorage.setItem('theme', 'light') // on another page, before the browser returns to this one
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    })
    expect(await theme()).toBe('light')
  })
})
