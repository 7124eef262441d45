/** The SQL editor as people use it, in Chromium; skipped without it. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { hasChromium } from '../support/browser.ts'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'
import { accessibilityIssues, browserOfFile, openVisitor } from './visitor.ts'

const PHONE = { width: 360, height: 740 }
const DESKTOP = { width: 1280, height: 900 }
const DAYS = `select market_day, price_eur_mwh from prices_by_day where zone = 'nord' order by 1`
/** Chromium's own console message for error responses. */
const STATUS = /status of 4\d\d/

const service = await serviceOfFile({ now: '2026-11-21T10:00:00Z', analysts: true })
const browser = await browserOfFile()
await service.seed(
  ['2026-03-28', '2026-03-29', '2026-10-25'].map((day) => zoneDay('nord', day, 60, (hour) => 80 + hour)),
)
const { key } = await service.issueKey('Trading')

describe.skipIf(!hasChromium)('the SQL editor', () => {
  const open = async (options: object = {}, fragment = '', path = '/en/sql') => {
    const guest = await openVisitor(browser, service.baseUrl, { viewport: DESKTOP, locale: 'en-GB', ...options })
    await guest.page.goto(`${service.baseUrl}${path}${fragment}`)
    return guest
  }
  const withQuery = (sql: string) => `#q=${encodeURIComponent(sql)}`

  it('runs the query of the URL with Ctrl+Enter, shows rows and a chart, and stores the key', async () => {
    await using guest = await open({}, withQuery(DAYS))
    const { page, complaints } = guest
    expect(await page.inputValue('#sql')).toBe(DAYS)
    await page.fill('#key', key)
    await page.focus('#sql')
    await page.keyboard.press('Control+Enter')
    await page.waitForSelector('#sql-result .plot canvas')
    await expect.poll(() => page.locator('#sql-result tbody tr').count()).toBe(3)
    expect(await page.locator('#sql-result tbody tr').nth(1).innerText()).toMatch(/2026-03-29\s+92$/)
    await expect.poll(() => page.innerText('#sql-status')).toMatch(/^3 rows in [\d.]+ s$/)
    await expect.poll(() => page.locator('[data-do=more], [data-do=stop]').filter({ visible: true }).count()).toBe(0)
    await page.reload()
    expect([await page.inputValue('#sql'), await page.inputValue('#key')]).toEqual([DAYS, key])
    expect(complaints).toEqual([])
  })

  it('shows an error with line and character, and places the cursor there', async () => {
    await using guest = await open({}, withQuery('select zone\nfrom zones\nwhere nothing(1) > 1'))
    const { page } = guest
    await page.fill('#key', key)
    await page.click('[data-do=run]')
    await expect.poll(() => page.innerText('#sql-problem')).toMatch(/^Line 3, character 7: sql calls nothing\(\)/)
    expect(await page.evaluate('document.activeElement.id + " " + document.activeElement.selectionStart')).toBe(
      'sql 29',
    )
    await page.fill('#key', 'svc_live_wrong')
    await page.click('[data-do=run]')
    await expect.poll(() => page.innerText('#key-problem')).toMatch(/malformed/)
    expect(guest.complaints.filter((text) => !STATUS.test(text))).toEqual([])
  })

  it('explains a query, pages through its rows, and saves all of them as CSV', async () => {
    await using guest = await open({}, withQuery('select n from generate_series(1, 12000) n order by n'))
    const { page, complaints } = guest
    await page.fill('#key', key)
    await page.click('[data-do=explain]')
    await expect.poll(() => page.locator('#sql-result pre').innerText()).toMatch(/Function Scan/)
    await page.click('[data-do=run]')
    await expect.poll(() => page.innerText('#sql-status')).toMatch(/the first 2,000 are shown, there are more$/)
    await page.click('[data-do=more]')
    await expect.poll(() => page.locator('#sql-result tbody tr').first().innerText()).toBe('10,001')
    const saving = page.waitForEvent('download')
    await page.click('[data-do=csv]')
    const lines = (await readFile(await (await saving).path(), 'utf8')).trimEnd().split('\r\n')
    expect([lines.length, lines.at(-1)]).toEqual([12_001, '12000'])
    expect(complaints).toEqual([])
  })

  it('loads examples from their links, and deletes the stored key', async () => {
    await using guest = await open()
    const { page } = guest
    await page.click('aside li:nth-child(2) a')
    await expect.poll(() => page.inputValue('#sql')).toMatch(/bands_by_month/)
    await page.fill('#key', key)
    await page.click('[data-do=run]')
    await expect.poll(() => page.innerText('#sql-status')).toMatch(/^0 rows/)
    await page.click('[data-do=forget]')
    await page.reload()
    expect(await page.inputValue('#key')).toBe('')
  })

  it('keeps input entered before its script loads, and writes the query to the URL', async () => {
    await using guest = await openVisitor(browser, service.baseUrl, { viewport: DESKTOP, locale: 'en-GB' })
    const { page, complaints } = guest
    const entered = Promise.withResolvers<void>()
    await page.addInitScript(() => localStorage.setItem('api-key', 'svc_live_old'))
    await page.route('**/sql.*.js', async (route) => {
      await entered.promise
      await route.continue()
    })
    await page.goto(`${service.baseUrl}/en/sql${withQuery('select 1')}`, { waitUntil: 'commit' })
    await page.fill('#sql', DAYS)
    await page.fill('#key', key)
    entered.resolve()
    await page.click('[data-do=run]')
    await expect.poll(() => page.innerText('#sql-status')).toMatch(/^3 rows/)
    expect(decodeURIComponent(new URL(page.url()).hash)).toBe(`#q=${DAYS}`)
    await page.fill('#sql', 'select 2')
    await expect.poll(() => decodeURIComponent(new URL(page.url()).hash)).toBe('#q=select 2')
    await page.getByRole('link', { name: 'IT', exact: true }).click()
    await page.waitForURL(/\/it\/sql/)
    await expect.poll(() => page.inputValue('#sql')).toBe('select 2')
    expect(complaints).toEqual([])
  })

  it('replaces a running query with a new run, without reporting the first as stopped', async () => {
    await using guest = await open({}, withQuery(DAYS))
    const { page } = guest
    await page.fill('#key', key)
    const both = Promise.withResolvers<void>()
    await page.route('**/v1/sql*', async (route) => {
      await both.promise
      await route.continue().catch(() => {}) // the first request was aborted
    })
    const asked = page.waitForRequest('**/v1/sql*')
    const givenUp = page.waitForEvent('requestfailed')
    await page.click('[data-do=run]')
    await asked
    await page.click('[data-do=run]')
    await givenUp
    await page.evaluate(() => new Promise(requestAnimationFrame))
    expect(await page.innerText('#sql-status')).toBe('Running…')
    expect(await page.isVisible('[data-do=stop]')).toBe(true)
    both.resolve()
    await expect.poll(() => page.innerText('#sql-status')).toMatch(/^3 rows/)
    expect(guest.complaints).toEqual([])
  })

  it('offers no more rows once the query has been edited or explained', async () => {
    await using guest = await open({}, withQuery('select n from generate_series(1, 12000) n order by n'))
    const { page } = guest
    await page.fill('#key', key)
    await page.click('[data-do=run]')
    await page.locator('[data-do=more]').waitFor()
    await page.locator('#sql').press('End')
    await page.keyboard.type(' ')
    expect(await page.isVisible('[data-do=more]')).toBe(false)
    await page.click('[data-do=run]')
    await page.locator('[data-do=more]').waitFor()
    await page.click('[data-do=explain]')
    await page.locator('#sql-result pre').waitFor()
    expect(await page.isVisible('[data-do=more]')).toBe(false)
  })

  it('reports a 502 and a truncated response, and can run the query again', async () => {
    await using guest = await open({}, withQuery(DAYS))
    const { page } = guest
    await page.fill('#key', key)
    const answers = [
      { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' },
      { status: 200, contentType: 'application/json', body: '{"columns": [' },
    ]
    for (const answer of answers) {
      await page.route('**/v1/sql*', (route) => route.fulfill(answer), { times: 1 })
      await page.click('[data-do=run]')
      await expect.poll(() => page.innerText('#sql-status')).toBe('The service cannot be reached.')
      expect(await page.isVisible('[data-do=stop]')).toBe(false)
      await page.click('[data-do=run]')
      await expect.poll(() => page.innerText('#sql-status')).toMatch(/^3 rows/)
    }
    expect(guest.complaints.filter((text) => !/status of 502/.test(text))).toEqual([])
  })

  it('does not store a key that is refused', async () => {
    await using guest = await open({}, withQuery(DAYS))
    const { page } = guest
    await page.fill('#key', 'svc_live_wrong')
    await page.click('[data-do=run]')
    await expect.poll(() => page.innerText('#key-problem')).toMatch(/malformed/)
    expect(await page.evaluate(() => localStorage.getItem('api-key'))).toBeNull()
  })

  it('explains a query and reports errors without JavaScript', async () => {
    await using guest = await open({ javaScriptEnabled: false })
    const { page } = guest
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
  ] as const)('passes the accessibility checks: $path, $colorScheme', async ({ path, ...options }) => {
    await using guest = await open(options, withQuery(DAYS), path)
    const { page } = guest
    const before = await accessibilityIssues(page)
    await page.fill('#key', key)
    await page.click('[data-do=run]')
    await page.waitForSelector('#sql-result .plot canvas')
    expect([...before, ...(await accessibilityIssues(page))]).toEqual([])
    expect(guest.complaints).toEqual([])
  })
})
