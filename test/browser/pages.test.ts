/** The pages as people use them, in Chromium; skipped without it. Figures are tested without a browser, in `test/web`. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { METHODOLOGY_PATH } from '../../src/api/endpoints/forecast/present.ts'
import { pages } from '../../src/web/page-list.ts'
import { hasChromium, measurePaint } from '../support/browser.ts'
import { serviceOfFile } from '../support/service.ts'
import { SITE_NOW, seedSite } from '../support/site.ts'
import { accessibilityIssues, browserOfFile, countedBytes, goTo, visitsTo } from './visitor.ts'

/** All documents share one template: the one with the most code and tables represents them. */
const DOCUMENT = '/docs/webhooks'
const SHOWN = ['/docs/reference', '/docs/reference/alerts', METHODOLOGY_PATH, DOCUMENT]
/** The list of pages has no form pages. */
const PATHS = [...pages.map(({ path }) => path), '/tools', '/developer-key']
  .map((path) => path.replace('{slug}', 'pun').replace('{tag}', 'alerts'))
  .filter((path) => !path.startsWith('/docs/') || SHOWN.includes(path))
const PHONE = { width: 390, height: 844 }
const TABS_MAX = 5
const VISITORS_AT_ONCE = 4
const SHIFT_MAX = 0.02
const DESKTOP = { width: 1280, height: 900 }

const service = await serviceOfFile({ now: SITE_NOW.toString() })
const browser = await browserOfFile()
const visit = visitsTo(service, browser, { viewport: DESKTOP })
await seedSite(service)

describe.skipIf(!hasChromium)('in a browser', () => {
  /** Visits each path with empty caches, several in parallel: most of the time is spent waiting for an idle network. */
  async function firstVisits(
    options: BrowserContextOptions,
    look: (page: Page, path: string) => Promise<void>,
  ): Promise<void> {
    const rest = PATHS.values()
    async function visitRest() {
      for (const path of rest) {
        const page = await visit(undefined, options)
        await look(page, path)
        await page.context().close()
      }
    }
    await Promise.all(Array.from({ length: VISITORS_AT_ONCE }, visitRest))
  }

  it.each([
    { language: 'en', viewport: DESKTOP, colorScheme: 'light' },
    { language: 'it', viewport: DESKTOP, colorScheme: 'dark' },
    { language: 'en', viewport: PHONE, colorScheme: 'light' },
    { language: 'it', viewport: PHONE, colorScheme: 'dark' },
  ] as const)(
    'every page has a clean console, keeps the policy, fits the window and is accessible: $language, $viewport.width pixels, $colorScheme',
    async ({ language, ...options }) => {
      const page = await visit(undefined, options)
      const faults: string[] = []
      for (const path of PATHS) {
        await goTo(page, `/${language}${path}`)
        faults.push(...(await accessibilityIssues(page)))
      }
      expect(faults).toEqual([])
    },
  )

  it('a reader goes from today’s hours to the quarter-hours, their table, and the history of the PUN', async () => {
    const prepare = (page: Page) => page.clock.setFixedTime(SITE_NOW.toString())
    const page = await visit('/', { prepare })
    await expect.poll(() => page.locator('.bars rect.slot').count()).toBe(48)
    const readout = page.locator('.readout').first()
    await page.locator('.bars svg').first().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => readout.textContent()).toMatch(/^\d+ \w+ 01:00: .* €\/MWh/)
    expect(await page.locator('.bars circle.now').isVisible()).toBe(true)
    await page.getByRole('link', { name: 'Quarter-hours' }).click()
    await expect.poll(() => page.locator('.bars rect.slot').count()).toBe(192)
    const table = page.locator('table').first()
    expect(await table.isVisible()).toBe(false)
    await page.getByText('Show as a table').first().click()
    await table.waitFor({ state: 'visible' })
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'PUN' }).click()
    await page.getByRole('link', { name: '1 year' }).click()
    await page.waitForURL(({ search }) => search === '?range=1y')
  })

  it('the chart shows the price under the pointer, and is redrawn when the theme changes', async () => {
    const page = await visit('/en/prices/pun?range=30d')
    const chart = page.locator('figure.chart').first()
    await chart.locator('canvas').waitFor()
    await chart.locator('.u-over').hover()
    await expect.poll(() => chart.locator('.readout').textContent()).toMatch(/^\d+ \w+ 2026: Price \d+\.\d\d €\/MWh$/)
    const ink = () => chart.locator('canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())
    const before = await ink()
    await page.getByRole('button', { name: 'Light or dark' }).click()
    await expect.poll(ink).not.toBe(before)
  })

  it('the API documentation can send requests under any hostname of the service', async () => {
    const reached = service.baseUrl.replace('127.0.0.1', 'localhost')
    const page = await visitsTo({ baseUrl: reached }, browser, { viewport: DESKTOP })('/v1/docs/')
    const padlockOf = (id: string) =>
      page.locator(`[id$="-${id}"]`).getByRole('button', { name: /authorization button/ })
    await page.locator('[id$="-getPunHourly"]').waitFor()
    expect(await padlockOf('getPunHourly').isVisible()).toBe(true)
    expect(await padlockOf('getToday').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'get /today', exact: true }).click()
    await page.getByRole('button', { name: 'Try it out' }).click()
    await page.getByRole('button', { name: 'Execute' }).click()
    const status = page.locator('.live-responses-table tbody .response-col_status').first()
    await expect.poll(() => status.textContent()).toContain('200')
  })

  it('the API reference can send a request, and shows its code in another language', async () => {
    const page = await visit('/en/docs/reference/current-prices#getLatestPrice', { viewport: PHONE })
    const operation = page.getByRole('region', { name: 'Get the latest price', exact: true })
    await operation.getByText('Python').click()
    await expect.poll(() => operation.locator('.codes').innerText()).toContain('client.get_latest_price(asset="pun")')
    await operation.getByText('Try it').click()
    await operation.getByLabel('asset').selectOption('ttf')
    await operation.getByRole('button', { name: 'Send request' }).click()
    const answer = operation.getByRole('region', { name: 'Response', exact: true })
    await expect.poll(() => answer.innerText()).toMatch(/^HTTP 200 .*"asset": "TTF"/s)
    expect(await answer.evaluate((region) => region === region.ownerDocument.activeElement)).toBe(true)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
  })

  it('the API documentation fits a phone, and links back to the API reference', async () => {
    const page = await visit('/v1/docs/', { viewport: PHONE })
    await page.getByRole('button', { name: 'get /today', exact: true }).waitFor()
    expect(await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth])).toEqual([
      PHONE.width,
      PHONE.width,
    ])
    await page.getByRole('link', { name: '← API reference' }).click()
    await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor()
  })

  it('the choice between light and dark is kept on the next page', async () => {
    const page = await visit('/en/', { colorScheme: 'light' })
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await ground()
    await page.getByRole('button', { name: 'Light or dark' }).click()
    const dark = await ground()
    expect(dark).not.toBe(light)
    await page.goto('/en/forecasts')
    expect(await ground()).toBe(dark)
  })

  it('the language switch keeps the page and its query', async () => {
    const page = await visit('/prices/psv?range=30d')
    await page.getByRole('navigation', { name: 'Language' }).getByRole('link', { name: 'IT' }).click()
    await page.waitForURL(`${service.baseUrl}/it/prices/psv?range=30d`)
    await page.getByRole('link', { name: 'Previsioni', exact: true }).click()
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Risultati delle previsioni')
  })

  it('the first Tab reaches the link that skips to the content', async () => {
    const page = await visit('/en/')
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect.poll(() => skip.evaluate((link) => link === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
  })

  const WITH_FIELD = [
    '/',
    '/tools',
    '/bands',
    '/zones',
    '/prices/pun/hours',
    '/forecasts/past',
    '/trading',
    '/sql',
    '/usage',
    '/docs/reference/tools',
  ]
  it('the first field of a tool is at most five Tabs away', async () => {
    const page = await visit(undefined, { viewport: PHONE })
    const isField = () => page.evaluate(() => document.activeElement?.matches('main :is(input, select, textarea)'))
    for (const path of WITH_FIELD) {
      await goTo(page, `/en${path}`)
      let tabs = await page.locator('a.skip').count()
      for (let i = 0; i < tabs; i++) await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.waitForURL(/#/)
      for (; !(await isField()) && tabs <= TABS_MAX; tabs++) await page.keyboard.press('Tab')
      expect([path, tabs <= TABS_MAX]).toEqual([path, true])
    }
  })

  it.each([390, 800, 1000])('the fields of a form stay in their columns, at a width of %i', async (width) => {
    const page = await visit('/en/trading', { viewport: { width, height: 800 } })
    const outside = () =>
      [...document.querySelectorAll('.live label')]
        .filter((label) => label.scrollWidth > label.clientWidth)
        .map(({ textContent }) => textContent)
    expect(await page.evaluate(outside)).toEqual([])
  })

  it('the result of a form has the focus', async () => {
    const page = await visit('/en/forecasts/past', { viewport: PHONE })
    await page.getByRole('button', { name: 'Show' }).click()
    await page.locator('#said:focus').waitFor()
  })

  it('reduced motion disables transitions and the playback of the map', async () => {
    const page = await visit('/en/zones', { reducedMotion: 'reduce' })
    await page.locator('.player input').waitFor()
    expect(await page.getByRole('button', { name: 'Play' }).count()).toBe(0)
    const moving = () =>
      [...document.querySelectorAll('*')].filter((one) => getComputedStyle(one).transitionDuration !== '0s')
    expect(await page.evaluate(moving)).toEqual([])
  })

  it('tables replace the charts without JavaScript', async () => {
    const page = await visit('/en/prices/pun?range=30d', { javaScriptEnabled: false })
    expect(await page.locator('canvas').count()).toBe(0)
    expect(await page.locator('figure.chart table').first().isVisible()).toBe(true)
    expect(await page.locator('.plot').first().isVisible()).toBe(false)
    expect(await page.locator('#theme').isVisible()).toBe(false)
    await page.goto('/en/')
    await expect.poll(() => page.locator('.bars rect.slot').count()).toBe(48)
  })

  it.each([PHONE, DESKTOP])(
    'a first visit to any page loads at most 60 kB each of scripts and fonts, without layout shift, %o',
    async (viewport) => {
      const moved: [string, number][] = []
      await firstVisits({ viewport }, async (page, path) => {
        const bytesOf = await countedBytes(page)
        const shown = Promise.withResolvers<void>()
        await page.route('**/*.woff2', (route) => shown.promise.then(() => route.continue()))
        await page.goto(`/en${path}`, { waitUntil: 'domcontentloaded' })
        await measurePaint(page)
        expect(await page.evaluate(() => document.fonts.check('16px Inter'))).toBe(false)
        shown.resolve()
        await page.waitForLoadState('networkidle')
        const { layoutShift } = await measurePaint(page)
        if (layoutShift > SHIFT_MAX) moved.push([path, layoutShift])
        // A background tab may lay out its text, and request the font, after the network was idle.
        await expect.poll(() => bytesOf('Font'), { message: `${path} loads a font` }).toBeGreaterThan(0)
        for (const type of ['Script', 'Font']) {
          expect(bytesOf(type), `${type} bytes of ${path}`).toBeGreaterThan(0)
          expect(bytesOf(type), `${type} bytes of ${path}`).toBeLessThan(60_000)
        }
      })
      expect(moved).toEqual([])
    },
  )

  it('a second page uses the font cached by the first', async () => {
    const page = await visit()
    for (const path of ['/en/', '/en/bands']) await page.goto(path, { waitUntil: 'networkidle' })
    expect(await page.evaluate(() => document.fonts.check('16px Inter'))).toBe(true)
    const ones = page.evaluate(() => {
      const [wide, narrow] = ['8888', '1111'].map((text) => {
        const cell = document.body.appendChild(document.createElement('table')).insertRow().insertCell()
        cell.style.cssText = 'position: absolute; padding: 0'
        cell.textContent = text
        return cell.getBoundingClientRect().width
      })
      return wide === narrow
    })
    expect(await ones).toBe(true)
  })

  it('the print view has the content without interactive elements', async () => {
    const prepare = (page: Page) => page.emulateMedia({ media: 'print' })
    const page = await visit('/en/', { colorScheme: 'dark', prepare })
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false)
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true)
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)')
    await goTo(page, '/en/trading?chart=clean')
    await expect.poll(() => page.locator('.button:visible').allTextContents()).toContain('Clean spark spread')
    expect(await page.locator('.button:visible:not([aria-current])').count()).toBe(0)
  })
})
