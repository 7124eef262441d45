/** The SQL editor as people use it, in Chromium; skipped without it. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasChromium } from '../support/browser.ts'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'
import {
  accessibilityIssues,
  browserOfFile,
  download,
  storedKey,
  type VisitOptions,
  visitBefore,
  visitsTo,
} from './visitor.ts'

const PHONE = { width: 360, height: 740 }
const DESKTOP = { width: 1280, height: 900 }
const DAYS = `select market_day, price_eur_mwh from prices_by_day where zone = 'nord' order by 1`

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z', analysts: true })
const visit = visitsTo(service, await browserOfFile(), { viewport: DESKTOP })
await service.seed(
  ['2026-03-28', '2026-03-29', '2026-10-25'].map((day) => zoneDay('nord', day, 60, (hour) => 80 + hour)),
)
const { key } = await service.issueKey('Trading')

describe.skipIf(!hasChromium)('the SQL editor', () => {
  const withQuery = (sql: string) => `#q=${encodeURIComponent(sql)}`
  const openWithKey = async (sql: string, { path = '/en/sql', ...options }: VisitOptions & { path?: string } = {}) => {
    const page = await visit(path + withQuery(sql), options)
    await page.fill('#key', key)
    return page
  }
  const run = (page: Page) => page.click('[data-do=run]')

  it('runs the query of the URL with Ctrl+Enter, shows rows and a chart, and stores the key', async () => {
    const page = await openWithKey(DAYS)
    expect(await page.inputValue('#sql')).toBe(DAYS)
    await page.focus('#sql')
    await page.keyboard.press('Control+Enter')
    await page.waitForSelector('#sql-result .plot canvas')
    await expect.poll(() => page.locator('#sql-result tbody tr').count()).toBe(3)
    expect(await page.locator('#sql-result tbody tr').nth(1).innerText()).toMatch(/2026-03-29\s+92$/)
    await expect.poll(() => page.innerText('#sql-status')).toMatch(/^3 rows in [\d.]+ s$/)
    await expect.poll(() => page.locator('[data-do=more], [data-do=stop]').filter({ visible: true }).count()).toBe(0)
    await page.reload()
    expect([await page.inputValue('#sql'), await page.inputValue('#key')]).toEqual([DAYS, key])
  })

  it('shows an error with line and character, places the cursor there, and does not store a refused key', async () => {
    const page = await openWithKey('select zone\nfrom zones\nwhere nothing(1) > 1', { provoked: /status of 4\d\d/ })
    await run(page)
    await expect.poll(() => page.innerText('#sql-problem')).toMatch(/^Line 3, character 7: sql calls nothing\(\)/)
    expect(await page.evaluate('document.activeElement.id + " " + document.activeElement.selectionStart')).toBe(
      'sql 29',
    )
    await page.fill('#key', 'svc_live_wrong')
    await run(page)
    await expect.poll(() => page.innerText('#key-problem')).toMatch(/malformed/)
    expect(await storedKey(page)).toBe(key)
  })

  it('explains a query, pages through its rows, and saves all of them as CSV', async () => {
    const page = await openWithKey('select n from generate_series(1, 12000) n order by n')
    await page.click('[data-do=explain]')
    await expect.poll(() => page.locator('#sql-result pre').innerText()).toMatch(/Function Scan/)
    await run(page)
    await expect.poll(() => page.innerText('#sql-status')).toMatch(/the first 2,000 are shown, there are more$/)
    await page.click('[data-do=more]')
    await expect.poll(() => page.locator('#sql-result tbody tr').first().innerText()).toBe('10,001')
    const { lines } = await download(page, () => page.click('[data-do=csv]'))
    expect([lines.length, lines.at(-1)]).toEqual([12_001, '12000'])
  })

  it('loads examples from their links, and deletes the stored key', async () => {
    const page = await visit('/en/sql')
    await page.click('aside li:nth-child(2) a')
    await expect.poll(() => page.inputValue('#sql')).toMatch(/bands_by_month/)
    await page.fill('#key', key)
    await run(page)
    await expect.poll(() => page.innerText('#sql-status')).toMatch(/^0 rows/)
    await page.click('[data-do=forget]')
    await page.reload()
    expect(await page.inputValue('#key')).toBe('')
  })

  it('keeps input entered before its script loads, and writes the query to the URL', async () => {
    const prepare = (page: Page) => page.addInitScript(() => localStorage.setItem('api-key', 'svc_live_old'))
    const { page, release } = await visitBefore(visit, 'sql', `/en/sql${withQuery('select 1')}`, { prepare })
    await page.fill('#sql', DAYS)
    await page.fill('#key', key)
    release()
    await run(page)
    await expect.poll(() => page.innerText('#sql-status')).toMatch(/^3 rows/)
    expect(decodeURIComponent(new URL(page.url()).hash)).toBe(`#q=${DAYS}`)
    await page.fill('#sql', 'select 2')
    await expect.poll(() => decodeURIComponent(new URL(page.url()).hash)).toBe('#q=select 2')
    await page.getByRole('link', { name: 'IT', exact: true }).click()
    await page.waitForURL(/\/it\/sql/)
    await expect.poll(() => page.inputValue('#sql')).toBe('select 2')
  })

  it('replaces a running query with a new run, without reporting the first as stopped', async () => {
    const page = await openWithKey(DAYS)
    const both = Promise.withResolvers<void>()
    await page.route('**/v1/sql*', async (route) => {
      await both.promise
      await route.continue().catch(() => {}) // the first request was aborted
    })
    const asked = page.waitForRequest('**/v1/sql*')
    const givenUp = page.waitForEvent('requestfailed')
    await run(page)
    await asked
    await run(page)
    await givenUp
    await page.evaluate(() => new Promise(requestAnimationFrame))
    expect(await page.innerText('#sql-status')).toBe('Running…')
    expect(await page.isVisible('[data-do=stop]')).toBe(true)
    both.resolve()
    await expect.poll(() => page.innerText('#sql-status')).toMatch(/^3 rows/)
  })

  it('offers no more rows once the query has been edited or explained', async () => {
    const page = await openWithKey('select n from generate_series(1, 12000) n order by n')
    await run(page)
    await page.locator('[data-do=more]').waitFor()
    await page.locator('#sql').press('End')
    await page.keyboard.type(' ')
    expect(await page.isVisible('[data-do=more]')).toBe(false)
    await run(page)
    await page.locator('[data-do=more]').waitFor()
    await page.click('[data-do=explain]')
    await page.locator('#sql-result pre').waitFor()
    expect(await page.isVisible('[data-do=more]')).toBe(false)
  })

  it('reports a 502 and a truncated response, and can run the query again', async () => {
    const page = await openWithKey(DAYS, { provoked: /status of 502/ })
    const answers = [
      { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' },
      { status: 200, contentType: 'application/json', body: '{"columns": [' },
    ]
    for (const answer of answers) {
      await page.route('**/v1/sql*', (route) => route.fulfill(answer), { times: 1 })
      await run(page)
      await expect.poll(() => page.innerText('#sql-status')).toBe('The service cannot be reached.')
      expect(await page.isVisible('[data-do=stop]')).toBe(false)
      await run(page)
      await expect.poll(() => page.innerText('#sql-status')).toMatch(/^3 rows/)
    }
  })

  it('explains a query and reports errors without JavaScript', async () => {
    const page = await visit('/en/sql', { javaScriptEnabled: false, provoked: /status of 400/ })
    expect(await page.locator('aside details').count()).toBeGreaterThan(30)
    await page.fill('#sql', DAYS)
    await page.fill('#key', key)
    await page.click('[data-do=explain]')
    await expect.poll(() => page.locator('#sql-result pre').innerText()).toMatch(/Scan/)
    await page.fill('#sql', 'select nothing from zones')
    await page.fill('#key', key)
    await page.click('[data-do=explain]')
    await expect.poll(() => page.innerText('#sql-problem')).toMatch(/"nothing" does not exist/)
  })

  it.each([
    { path: '/en/sql', viewport: DESKTOP, colorScheme: 'light' },
    { path: '/it/sql', viewport: PHONE, colorScheme: 'dark' },
  ] as const)('passes the accessibility checks: $path, $colorScheme', async (options) => {
    const page = await openWithKey(DAYS, options)
    const before = await accessibilityIssues(page)
    await run(page)
    await page.waitForSelector('#sql-result .plot canvas')
    expect([...before, ...(await accessibilityIssues(page))]).toEqual([])
  })
})
