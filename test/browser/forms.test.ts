/** Forms, cards and copy buttons as people use them, in Chromium; skipped without it. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { confirmationText } from '../../src/delivery/mail/send-due-emails.ts'
import { claimDueEmails } from '../../src/store/emails.ts'
import { hasChromium } from '../support/browser.ts'
import { LINKS_KEY, mailedLink as mailedAlertLink } from '../support/deliveries.ts'
import { exampleOffers, octoberPrices, publishOffers } from '../support/offers.ts'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'
import { accessibilityIssues, browserOfFile, useKey, visitsTo } from './visitor.ts'

const NOW = Temporal.Instant.from('2026-11-21T10:00:00Z')
const PHONE = { width: 360, height: 740 }
const DESKTOP = { width: 1280, height: 900 }
const GOOD = 'commodity=luce&consumption=2700&price_type=variabile'
/** Chromium's own console message for a page with status 400. */
const STATUS_400 = /status of 400/

const service = await serviceOfFile({ now: NOW.toString(), env: { SECRETS_KEY: LINKS_KEY } })
const visit = visitsTo(service, await browserOfFile(), { viewport: DESKTOP })
await service.seed([...octoberPrices({ PUN: 100, PSV: 30 }), zoneDay('nazionale', '2026-11-21', 60, () => 118.43)])
await publishOffers(service, exampleOffers('luce'), { day: '2026-11-21' })
await publishOffers(service, exampleOffers('gas'), { day: '2026-11-21', commodity: 'gas' })

describe.skipIf(!hasChromium)('in a browser', () => {
  const press = (page: Page, name: string) => page.getByRole('button', { name }).click()

  /** Requests a key and opens the link in the queued mail. */
  async function requestKey(page: Page, email: string): Promise<void> {
    await page.getByLabel('E-mail address').fill(email)
    await press(page, 'Send me the link')
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Check your mailbox')
    const [mail] = await claimDueEmails(service.sql, { now: NOW, until: NOW.add({ minutes: 5 }), maxCount: 1 })
    if (mail === undefined) throw new Error('no mail waits')
    const text = (await confirmationText(mail, { sql: service.sql, clock: { now: () => NOW } })) ?? ''
    await page.goto(/http\S+/.exec(text)?.[0] ?? 'no link')
  }

  it.each([
    { language: 'en', viewport: DESKTOP, colorScheme: 'light' },
    { language: 'it', viewport: DESKTOP, colorScheme: 'dark' },
    { language: 'en', viewport: PHONE, colorScheme: 'light' },
    { language: 'it', viewport: PHONE, colorScheme: 'dark' },
  ] as const)(
    'forms and results pass the accessibility checks: $language, $viewport.width pixels, $colorScheme',
    async ({ language, ...options }) => {
      const page = await visit(undefined, { ...options, provoked: /status of 40[04]/ })
      const faults: string[] = []
      for (const path of [
        '/tools',
        `/tools?${GOOD}`,
        '/tools?commodity=gas&consumption=2.700&price_type=',
        '/offers',
        '/status',
        '/developer-key',
        '/developer-key/sent',
        '/developer-key/confirm?token=x',
      ]) {
        await page.goto(`/${language}${path}`)
        faults.push(...(await accessibilityIssues(page)))
      }
      expect(faults).toEqual([])
    },
  )

  it('a key is requested in 6 actions from the home page and the mailbox, and copied, on accessible pages', async () => {
    const page = await visit('/en/', { viewport: PHONE, permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('link', { name: 'documentation' }).first().click()
    await page.getByRole('link', { name: 'Get a Developer key' }).first().click()
    await requestKey(page, 'ada@example.com')
    expect(await accessibilityIssues(page)).toEqual([])
    await press(page, 'Show my key')
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Your Developer key')
    expect(await accessibilityIssues(page)).toEqual([])
    const key = await page.locator('.issued-key code').textContent()
    expect(key).toMatch(/^svc_live_[0-9A-Za-z]{32}$/)
    const copied = page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await copied
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  })

  it('a double click on “Show my key” still shows the key', async () => {
    const page = await visit('/en/developer-key')
    await requestKey(page, 'grace@example.com')
    await page.getByRole('button', { name: 'Show my key' }).evaluate((button) => {
      for (let click = 0; click < 2; click++) (button as HTMLButtonElement).click()
    })
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Your Developer key')
  })

  it('the owner of a key creates an alert by mail, confirms it, tests it and deletes it', async () => {
    const { key } = await service.issueKey('API', { email: 'ada@example.com' })
    const page = await visit('/en/usage', { viewport: PHONE, provoked: STATUS_400 })
    await useKey(page, key)
    await page.getByLabel('Threshold').fill('117,5')
    await page.getByLabel('Receiver').selectOption('email')
    expect(await page.getByLabel('Address of the webhook').isVisible()).toBe(false)
    await press(page, 'Create the alert')
    await page.getByText('An e-mail is on its way').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByRole('button', { name: 'Send the confirmation again' }).waitFor()

    await page.goto(await mailedAlertLink(service))
    expect(await accessibilityIssues(page)).toEqual([])
    await press(page, 'Confirm the address')
    await page.getByText('The address is confirmed').waitFor()

    await page.goto('/en/usage')
    await press(page, 'Send a test')
    await expect.poll(() => mailedAlertLink(service).catch(() => '')).toContain('/alerts/stop?')
    await page.getByText('alert.test delivered, 1 attempt').waitFor()
    await page.getByRole('rowheader', { name: 'PUN above 117.50' }).waitFor()

    await page.getByLabel('Receiver').selectOption('text')
    await page.getByLabel('Threshold').fill('1')
    await page.getByLabel('Address of the webhook').fill('https://10.0.0.1/')
    await press(page, 'Create the alert')
    await page.getByText('webhook_url must be a public address').waitFor()
    await page.getByLabel('Address of the webhook').fill('https://ntfy.example/prices')
    await press(page, 'Create the alert')
    await page.getByText('whsec_').waitFor()
    await page.getByText('ntfy.example').waitFor()
    page.on('dialog', (dialog) => dialog.accept())
    await page.getByRole('button', { name: 'Delete' }).first().click()
    await expect.poll(() => page.getByRole('button', { name: 'Delete' }).count()).toBe(1)
  })

  it('the bill estimate works without JavaScript, with errors at their field', async () => {
    const page = await visit('/en/tools', { javaScriptEnabled: false, provoked: STATUS_400 })
    await page.getByLabel('Gas').check()
    await page.getByLabel('Annual consumption').fill('2.700')
    await press(page, 'Estimate')
    await expect
      .poll(() => page.locator('#consumption-problem').textContent())
      .toContain('without thousands separators')
    expect(await page.getByLabel('Gas').isChecked()).toBe(true)
    await page.getByLabel('Annual consumption').fill('1100')
    await press(page, 'Estimate')
    const answer = (
      await service.ask('/v1/tools/bill-estimate?commodity=gas&consumption=1100&price_type=variabile')
    ).json() as { energy_cost_year_eur: number }
    const shown = await page.locator('.figures data').first().getAttribute('value')
    expect(Number(shown)).toBe(answer.energy_cost_year_eur)
  })

  it('a card is displayed on another site, and under its own policy when opened alone', async () => {
    const page = await visit()
    await page.setContent(`<img src="${service.baseUrl}/en/card/pun.svg" alt="PUN">`, { waitUntil: 'load' })
    const size = await page.locator('img').evaluate((img) => (img as HTMLImageElement).naturalWidth)
    expect(size).toBe(320)
    await page.goto('/en/card/pun.svg')
    const font = await page.locator('.price').evaluate((text) => getComputedStyle(text).fontSize)
    expect(font).toBe('34px')
  })

  it('every code example has a copy button', async () => {
    const page = await visit('/en/docs/quick-start')
    const blocks = await page.locator('main pre').count()
    expect(blocks).toBeGreaterThan(3)
    await expect.poll(() => page.getByRole('button', { name: 'Copy' }).count()).toBe(blocks)
  })
})
