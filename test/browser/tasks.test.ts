/** Common tasks, with the number of actions they need: a click, a field, a link from a mail. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { confirmationText } from '../../src/delivery/mail/send-due-emails.ts'
import { claimDueEmails } from '../../src/store/emails.ts'
import { hasChromium } from '../support/browser.ts'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'
import { SITE_NOW, seedPastForecasts, seedSite } from '../support/site.ts'
import { accessibilityIssues, browserOfFile, openVisitor } from './visitor.ts'

/** The last seven days, and those of the calendar week before. */
const LAST_WEEK = Array.from({ length: 12 }, (_, i) =>
  Temporal.PlainDate.from('2026-11-09').add({ days: i }).toString(),
)
const PHONE = { width: 390, height: 844 }

const service = await serviceOfFile({ now: SITE_NOW.toString() })
const browser = await browserOfFile()
await seedSite(service)
await seedPastForecasts(service)
await service.seed(
  LAST_WEEK.flatMap((day) => [zoneDay('nord', day, 60, () => 120), zoneDay('sud', day, 60, () => 101.5)]),
)

describe.skipIf(!hasChromium)('a person', () => {
  const visitor = (options = {}) =>
    openVisitor(browser, service.baseUrl, { viewport: PHONE, locale: 'en-GB', ...options })

  /** Performs the actions, beginning on the home page, and returns their number. */
  async function perform(page: Page, ...actions: ((page: Page) => Promise<unknown>)[]): Promise<number> {
    await page.goto(`${service.baseUrl}/en/`)
    for (const action of actions) await action(page)
    return actions.length
  }
  const link = (name: string | RegExp) => (page: Page) => page.getByRole('link', { name }).first().click()
  const button = (name: string) => (page: Page) => page.getByRole('button', { name }).click()

  it('sees the price of this quarter-hour without any action, and in the other unit after one', async () => {
    await using guest = await visitor()
    expect(await perform(guest.page)).toBe(0)
    // 14:30 is in quarter-hour 59 of the day.
    const expected = 110 + 20 * Math.sin(59 / 6) - 60
    const price = guest.page.locator('#now .price')
    expect(await price.innerText()).toBe(`${(expected / 10).toFixed(2)} c€/kWh`)
    const { y = PHONE.height } = (await price.boundingBox()) ?? {}
    expect(y).toBeLessThan(PHONE.height)
    expect(await perform(guest.page, button('Show in €/MWh'))).toBe(1)
    await expect.poll(() => price.innerText()).toBe(`${expected.toFixed(2)} €/MWh`)
    await guest.page.reload()
    expect(await price.innerText()).toBe(`${expected.toFixed(2)} €/MWh`)
    expect(await guest.page.locator('#window .mwh').isVisible()).toBe(true)
    await button('Show in c€/kWh')(guest.page)
    await expect.poll(() => price.innerText()).toBe(`${(expected / 10).toFixed(2)} c€/kWh`)
  })

  it('finds the cheapest four hours before 7:00 in 2 actions', async () => {
    await using guest = await visitor()
    const { page } = guest
    const actions = await perform(
      page,
      (page) => page.getByLabel('For', { exact: true }).selectOption('4'),
      (page) => page.getByLabel('before', { exact: true }).selectOption('07:00'),
    )
    expect(actions).toBe(2)
    // Today's and tomorrow's quarter-hours are 110 + 20 sin(quarter / 6) - 60. It is 14:30, so the next 7:00 is tomorrow's.
    const prices = [1, 2].flatMap(() => Array.from({ length: 96 }, (_, i) => 110 + 20 * Math.sin((i + 1) / 6) - 60))
    const ahead = prices.slice(58, 96 + 28)
    const means = ahead
      .slice(15)
      .map((_, start) => ahead.slice(start, start + 16).reduce((sum, one) => sum + one / 16, 0))
    const first = 58 + means.indexOf(Math.min(...means))
    const clock = (quarter: number) =>
      `${String(Math.floor(quarter / 4) % 24).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`
    await expect
      .poll(() => page.locator('#window .price').textContent())
      .toBe(`Today, ${clock(first)}–${clock(first + 16)}`)
    expect(await page.locator('#window data').first().textContent()).toBe((Math.min(...means) / 10).toFixed(2))
  })

  it.each([true, false])('sees in 3 actions what last month’s 270 kWh cost (scripts: %s)', async (scripts) => {
    await using guest = await visitor({ javaScriptEnabled: scripts })
    const { page } = guest
    const actions = await perform(
      page,
      (page) => page.getByLabel('Use, kWh a month').fill('270'),
      (page) => page.getByLabel('Supplier’s spread').fill('0,02'),
      button('Show the bill'),
    )
    expect(actions).toBe(3)
    await page.waitForURL(/#bill$/)
    // Hours of October in the seed: 110 + 20 sin(days since 22 September / 6) + the hour's number; the 25th has 25 hours.
    const hours = Array.from({ length: 31 }, (_, day) =>
      Array.from({ length: day === 24 ? 25 : 24 }, (_, hour) => 110 + 20 * Math.sin((day + 9) / 6) + hour + 1),
    ).flat()
    const mean = hours.reduce((sum, one) => sum + one, 0) / hours.length
    const expected = (270 * (mean / 1000) * 1.1 + 270 * 0.02) * 1.1
    const bill = page.locator('#bill')
    expect(await bill.getByRole('heading').textContent()).toBe('October 2026, variable, one price')
    const shown = Number(await bill.locator('.price data').getAttribute('value'))
    expect(Math.abs(shown / expected - 1)).toBeLessThan(0.01)
    const { y = PHONE.height } = (await bill.boundingBox()) ?? {}
    expect([y >= 0, y < PHONE.height]).toEqual([true, true])
    expect(guest.complaints).toEqual([])
  })

  it('sees in 2 actions at most by how much North and South differed last week', async () => {
    await using guest = await visitor()
    const { page } = guest
    const actions = await perform(page, link('Differences between the zones last week'))
    expect(actions).toBeLessThanOrEqual(2)
    await expect.poll(() => page.getByRole('link', { name: /^North − South: / }).textContent()).toBe('+18.50')
    expect(guest.complaints).toEqual([])
  })

  it('sees in 2 actions at most whether yesterday’s forecast was right', async () => {
    await using guest = await visitor()
    const { page } = guest
    const actions = await perform(page, link('Was yesterday’s right?'))
    expect(actions).toBeLessThanOrEqual(2)
    await expect
      .poll(() => page.locator('.verdict').textContent())
      .toMatch(/said 12\d\.00 €\/MWh for Thursday 19 November, .* The price was 1\d\d\.\d\d €\/MWh: (in|out)side/)
  })

  it.each([true, false])(
    'sees in 3 actions whether last Tuesday’s forecast was right (scripts: %s)',
    async (scripts) => {
      await using guest = await visitor({ javaScriptEnabled: scripts })
      const { page } = guest
      const actions = await perform(page, link('Forecasts'), link(/^Was it right/), link('Tue 17'))
      expect(actions).toBe(3)
      await expect
        .poll(() => page.locator('.verdict').textContent())
        .toMatch(
          /^The forecast of .* said 125\.00 €\/MWh for Tuesday 17 November, 80% band .* The price was [\d.]+ €\/MWh: (in|out)side/,
        )
      if (scripts) expect(await accessibilityIssues(page)).toEqual([])
      expect(guest.complaints).toEqual([])
    },
  )

  it('steps through the issues with the arrow keys of the slider, which updates the URL', async () => {
    await using guest = await visitor()
    const { page } = guest
    await page.goto(`${service.baseUrl}/en/forecasts/past?day=2026-11-17&ago=3`)
    const before = await page.locator('.verdict').textContent()
    await page.getByLabel('Days before').focus()
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL(/ago=2/)
    expect(await page.locator('.verdict').textContent()).not.toBe(before)
    await page.locator('#said canvas').waitFor()
    expect(guest.complaints).toEqual([])
  })

  it('gets a key in 6 actions, one of them in the mailbox', async () => {
    await using guest = await visitor()
    const { page } = guest
    const actions = await perform(
      page,
      link('documentation'),
      link('Get a Developer key'),
      (page) => page.getByLabel('E-mail address').fill('ada@example.com'),
      button('Send me the link'),
      async (page) => page.goto(await mailedLink()),
      button('Show my key'),
    )
    expect(actions).toBe(6)
    await expect.poll(() => page.locator('.issued-key code').textContent()).toMatch(/^svc_live_/)
    expect(guest.complaints).toEqual([])
  })

  async function mailedLink(): Promise<string> {
    const [mail] = await claimDueEmails(service.sql, {
      now: SITE_NOW,
      until: SITE_NOW.add({ minutes: 5 }),
      maxCount: 1,
    })
    if (mail === undefined) throw new Error('no mail waits')
    const text = (await confirmationText(mail, { sql: service.sql, clock: { now: () => SITE_NOW } })) ?? ''
    return /http\S+/.exec(text)?.[0] ?? 'no link'
  }

  it('sees the usage of a key, uses the key on another page, and deletes it from the browser', async () => {
    await using guest = await visitor()
    const { page } = guest
    const { key } = await service.issueKey('Trading')
    await page.goto(`${service.baseUrl}/en/usage`)
    await page.getByLabel('API key').fill(key)
    await button('Use this key')(page)
    await page.getByText('Used this month').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    expect(page.url()).not.toContain(key)
    await page.goto(`${service.baseUrl}/en/trading`)
    await page.getByText('Shown with your Trading key').waitFor()
    await button('Forget the key')(page)
    await page.getByText('Without a key this page').waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('api-key'))).toBeNull()
    expect(guest.complaints).toEqual([])
  })

  it('rotates a key once, and the browser stores the new key', async () => {
    await using guest = await visitor()
    const { page } = guest
    const { key } = await service.issueKey('API')
    await page.goto(`${service.baseUrl}/en/usage`)
    await page.getByLabel('API key').fill(key)
    await button('Use this key')(page)
    await button('Issue a new key now')(page)
    const shown = page.locator('[data-new-key]')
    await shown.waitFor({ state: 'visible' })
    const fresh = await shown.textContent()
    expect(fresh).not.toBe(key)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('api-key'))).toBe(fresh)
    await expect.poll(() => page.getByRole('button', { name: 'Issue a new key now' }).isDisabled()).toBe(true)
    const answer = await service.ask('/v1/usage', { headers: { authorization: `Bearer ${fresh}` } })
    expect(answer.status).toBe(200)
  })

  /** September and October in quarter-hours, one row per day. */
  const meterFile = (kwh: string) => ({
    name: 'curva.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      Array.from({ length: 61 }, (_, i) => Temporal.PlainDate.from('2026-09-01').add({ days: i }))
        .map((day) => [
          day.toString().split('-').toReversed().join('/'),
          ...Array(day.toZonedDateTime('Europe/Rome').hoursInDay * 4).fill(kwh),
        ])
        .map((cells) => cells.join(';'))
        .join('\r\n'),
    ),
  })

  it('keeps zone, contract and use, finds them on other pages, and clears them', async () => {
    await using guest = await visitor()
    const { page } = guest
    await page.goto(`${service.baseUrl}/en/bands?zone=sici`)
    await page.getByLabel('CSV files').setInputFiles(meterFile('energia'))
    await page.getByText('The file was not recognised at “01/09/2026;energia').waitFor()
    await page.getByLabel('CSV files').setInputFiles(meterFile('0,125'))
    await page.getByText('The mean of 2 complete months is filled in.').waitFor()
    await page.getByLabel('Contract').selectOption('Variable, one price')
    await page.getByLabel('Supplier’s spread').fill('0,02')
    await button('Keep as mine')(page)
    await page.waitForURL(/contract=flat/)
    const line = page.locator('aside.mine p')
    await expect.poll(() => line.textContent()).toBe('Mine: Sicily, F0 + 0.02 €/kWh, 366 kWh a month')
    expect(await accessibilityIssues(page)).toEqual([])

    await page.goto(`${service.baseUrl}/it/`)
    await page.waitForURL(/zone=sici/)
    await page.getByText('Sicilia', { exact: false }).first().waitFor()
    expect(await line.textContent()).toBe('I miei dati: Sicilia, F0 + 0,02 €/kWh, 366 kWh al mese')
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByRole('link', { name: 'Quanto pesa sulla tua bolletta' }).click()
    await page.waitForURL(/bands\?zone=sici&f1=.*contract=flat&spread=0.02/)
    await button('cancella')(page)
    await page.waitForURL(/\/it\/bands$/)
    expect(await line.isVisible()).toBe(false)
    expect(await page.evaluate(() => localStorage.getItem('mine'))).toBeNull()
    expect(guest.complaints).toEqual([])
  })

  it.each([
    'zone=nord',
    '{"zone":"nord"}',
    'zone=atlantide&contract=flat&f1=1&f2=1&f3=1&spread=0&fixed=0&fee=0&losses=10&vat=10',
  ])('does not see invalid stored settings, which are deleted: %s', async (kept) => {
    await using guest = await visitor()
    const { page, context } = guest
    await context.addInitScript((text) => localStorage.setItem('mine', text), kept)
    await page.goto(`${service.baseUrl}/en/`)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('mine'))).toBeNull()
    expect(await page.locator('aside.mine').isVisible()).toBe(false)
    expect([new URL(page.url()).search, guest.complaints]).toEqual(['', []])
  })

  it('prints the bill on one sheet of A4 and the prices on another', async () => {
    await using guest = await visitor()
    const { page } = guest
    await page.goto(`${service.baseUrl}/it/bands?f1=90&f2=80&f3=100&spread=0.02&fixed=0.15`)
    await page.locator('#bill').waitFor()
    const pdf = await page.pdf({ format: 'A4', margin: { top: '12mm', bottom: '12mm', left: '12mm', right: '12mm' } })
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(2)
  })

  it('sees that nothing can be stored if the browser denies local storage', async () => {
    await using guest = await visitor()
    const { page, context } = guest
    await context.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('denied', 'SecurityError')
        },
      })
    })
    await page.goto(`${service.baseUrl}/en/bands`)
    await button('Keep as mine')(page)
    await page.getByText('This browser does not keep data for this site.').waitFor()
    expect(guest.complaints).toEqual([])
  })

  it('sees an error for an invalid key, which is not stored', async () => {
    await using guest = await visitor()
    const { page } = guest
    await page.goto(`${service.baseUrl}/en/usage`)
    await page.getByLabel('API key').fill('svc_live_wrong')
    await button('Use this key')(page)
    await page.getByText('This key is not valid here').waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('api-key'))).toBeNull()
  })
})
