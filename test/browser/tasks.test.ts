/** Common tasks, with the number of actions they need: a click or a field. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasChromium } from '../support/browser.ts'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'
import { SITE_NOW, seedPastForecasts, seedSite } from '../support/site.ts'
import { accessibilityIssues, browserOfFile, denyStorage, storedKey, useKey, visitsTo } from './visitor.ts'

/** The last seven days, and those of the calendar week before. */
const LAST_WEEK = Array.from({ length: 12 }, (_, i) =>
  Temporal.PlainDate.from('2026-11-09').add({ days: i }).toString(),
)
const PHONE = { width: 390, height: 844 }

const service = await serviceOfFile({ now: SITE_NOW.toString() })
const visit = visitsTo(service, await browserOfFile(), { viewport: PHONE })
await seedSite(service)
await seedPastForecasts(service)
await service.seed(
  LAST_WEEK.flatMap((day) => [zoneDay('nord', day, 60, () => 120), zoneDay('sud', day, 60, () => 101.5)]),
)

describe.skipIf(!hasChromium)('a person', () => {
  const follow = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first().click()
  const press = (page: Page, name: string) => page.getByRole('button', { name }).click()

  it('sees the price of this quarter-hour without any action, and in the other unit after one', async () => {
    const page = await visit('/en/')
    // 14:30 is in quarter-hour 59 of the day.
    const expected = 110 + 20 * Math.sin(59 / 6) - 60
    const price = page.locator('#now .price')
    expect(await price.innerText()).toBe(`${(expected / 10).toFixed(2)} c€/kWh`)
    const { y = PHONE.height } = (await price.boundingBox()) ?? {}
    expect(y).toBeLessThan(PHONE.height)
    await press(page, 'Show in €/MWh')
    await expect.poll(() => price.innerText()).toBe(`${expected.toFixed(2)} €/MWh`)
    await page.reload()
    expect(await price.innerText()).toBe(`${expected.toFixed(2)} €/MWh`)
    expect(await page.locator('#window .mwh').isVisible()).toBe(true)
    await press(page, 'Show in c€/kWh')
    await expect.poll(() => price.innerText()).toBe(`${(expected / 10).toFixed(2)} c€/kWh`)
  })

  it('finds the cheapest four hours before 7:00 in 2 actions', async () => {
    const page = await visit('/en/')
    await page.getByLabel('For', { exact: true }).selectOption('4')
    await page.getByLabel('before', { exact: true }).selectOption('07:00')
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
    const page = await visit('/en/', { javaScriptEnabled: scripts })
    await page.getByLabel('Use, kWh a month').fill('270')
    await page.getByLabel('Supplier’s spread').fill('0,02')
    await press(page, 'Show the bill')
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
  })

  it('sees in 1 action by how much North and South differed last week', async () => {
    const page = await visit('/en/')
    await follow(page, 'Differences between the zones last week')
    await expect.poll(() => page.getByRole('link', { name: /^North − South: / }).textContent()).toBe('+18.50')
  })

  it('sees in 1 action whether yesterday’s forecast was right', async () => {
    const page = await visit('/en/')
    await follow(page, 'Was yesterday’s right?')
    await expect
      .poll(() => page.locator('.verdict').textContent())
      .toMatch(/said 12\d\.00 €\/MWh for Thursday 19 November, .* The price was 1\d\d\.\d\d €\/MWh: (in|out)side/)
  })

  it.each([true, false])(
    'sees in 3 actions whether last Tuesday’s forecast was right (scripts: %s)',
    async (scripts) => {
      const page = await visit('/en/', { javaScriptEnabled: scripts })
      for (const name of ['Forecasts', /^Was it right/, 'Tue 17']) await follow(page, name)
      await expect
        .poll(() => page.locator('.verdict').textContent())
        .toMatch(
          /^The forecast of .* said 125\.00 €\/MWh for Tuesday 17 November, 80% band .* The price was [\d.]+ €\/MWh: (in|out)side/,
        )
      if (scripts) expect(await accessibilityIssues(page)).toEqual([])
    },
  )

  it('steps through the issues with the arrow keys of the slider, which updates the URL', async () => {
    const page = await visit('/en/forecasts/past?day=2026-11-17&ago=3')
    const before = await page.locator('.verdict').textContent()
    await page.getByLabel('Days before').focus()
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL(/ago=2/)
    expect(await page.locator('.verdict').textContent()).not.toBe(before)
    await page.locator('#said canvas').waitFor()
  })

  it('sees the usage of a key, uses the key on another page, and deletes it from the browser', async () => {
    const { key } = await service.issueKey('Trading')
    const page = await visit('/en/usage')
    await useKey(page, key)
    await page.getByText('Used this month').waitFor()
    expect(await accessibilityIssues(page)).toEqual([])
    expect(page.url()).not.toContain(key)
    await page.goto('/en/trading')
    await page.getByText('Shown with your Trading key').waitFor()
    await press(page, 'Forget the key')
    await page.getByText('Without a key this page').waitFor()
    await expect.poll(() => storedKey(page)).toBeNull()
  })

  it('rotates a key once, and the browser stores the new key', async () => {
    const { key } = await service.issueKey('API')
    const page = await visit('/en/usage')
    await useKey(page, key)
    await press(page, 'Issue a new key now')
    const shown = page.locator('[data-new-key]')
    await shown.waitFor({ state: 'visible' })
    const fresh = await shown.textContent()
    expect(fresh).not.toBe(key)
    await expect.poll(() => storedKey(page)).toBe(fresh)
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
    const page = await visit('/en/bands?zone=sici')
    await page.getByLabel('CSV files').setInputFiles(meterFile('energia'))
    await page.getByText('The file was not recognised at “01/09/2026;energia').waitFor()
    await page.getByLabel('CSV files').setInputFiles(meterFile('0,125'))
    await page.getByText('The mean of 2 complete months is filled in.').waitFor()
    await page.getByLabel('Contract').selectOption('Variable, one price')
    await page.getByLabel('Supplier’s spread').fill('0,02')
    await press(page, 'Keep as mine')
    await page.waitForURL(/contract=flat/)
    const line = page.locator('aside.mine p')
    await expect.poll(() => line.textContent()).toBe('Mine: Sicily, F0 + 0.02 €/kWh, 366 kWh a month')
    expect(await accessibilityIssues(page)).toEqual([])

    await page.goto('/it/')
    await page.waitForURL(/zone=sici/)
    await page.getByText('Sicilia', { exact: false }).first().waitFor()
    expect(await line.textContent()).toBe('I miei dati: Sicilia, F0 + 0,02 €/kWh, 366 kWh al mese')
    expect(await accessibilityIssues(page)).toEqual([])
    await page.getByRole('link', { name: 'Quanto pesa sulla tua bolletta' }).click()
    await page.waitForURL(/bands\?zone=sici&f1=.*contract=flat&spread=0.02/)
    await press(page, 'cancella')
    await page.waitForURL(/\/it\/bands$/)
    expect(await line.isVisible()).toBe(false)
    expect(await page.evaluate(() => localStorage.getItem('mine'))).toBeNull()
  })

  it.each([
    'zone=nord',
    '{"zone":"nord"}',
    'zone=atlantide&contract=flat&f1=1&f2=1&f3=1&spread=0&fixed=0&fee=0&losses=10&vat=10',
  ])('does not see invalid stored settings, which are deleted: %s', async (kept) => {
    const prepare = (page: Page) => page.addInitScript((text) => localStorage.setItem('mine', text), kept)
    const page = await visit('/en/', { prepare })
    await expect.poll(() => page.evaluate(() => localStorage.getItem('mine'))).toBeNull()
    expect(await page.locator('aside.mine').isVisible()).toBe(false)
    expect(new URL(page.url()).search).toBe('')
  })

  it('prints the bill on one sheet of A4 and the prices on another', async () => {
    const page = await visit('/it/bands?f1=90&f2=80&f3=100&spread=0.02&fixed=0.15')
    await page.locator('#bill').waitFor()
    const pdf = await page.pdf({ format: 'A4', margin: { top: '12mm', bottom: '12mm', left: '12mm', right: '12mm' } })
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(2)
  })

  it('sees that nothing can be stored if the browser denies local storage', async () => {
    const page = await visit('/en/bands', { prepare: denyStorage })
    await press(page, 'Keep as mine')
    await page.getByText('This browser does not keep data for this site.').waitFor()
  })

  it('sees an error for an invalid key, which is not stored', async () => {
    const page = await visit('/en/usage', { provoked: /status of 401/ })
    await useKey(page, 'svc_live_wrong')
    await page.getByText('This key is not valid here').waitFor()
    await expect.poll(() => storedKey(page)).toBeNull()
  })
})
