/** The home page that waits for tomorrow's prices, in Chromium; skipped where there is none. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, hasChromium, openBrowser } from '../support/browser.ts'
import { zoneDay } from '../support/prices.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { openVisitor } from './visitor.ts'

if (!hasChromium) console.log(`the home page is not tested in a browser: there is no ${CHROMIUM}`)

describe.skipIf(!hasChromium)('the home page', () => {
  let service: TestService
  let browser: Browser
  beforeAll(async () => {
    ;[service, browser] = await Promise.all([startTestService({ now: '2026-10-24T09:00:00Z' }), openBrowser()])
    await service.seed([zoneDay('nazionale', '2026-10-24', 60, () => 100)])
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('shows tomorrow’s 25 hours without a reload when they are published', async () => {
    await using guest = await openVisitor(browser, service.baseUrl, { locale: 'en-GB' })
    const { page } = guest
    const opened = page.waitForResponse((response) => response.url().endsWith('/events/days'))
    await page.goto(`${service.baseUrl}/en/`)
    await opened
    await page.evaluate(() => {
      document.title = 'not reloaded'
    })
    expect(await page.locator('.bars').count()).toBe(1)
    await service.seed([zoneDay('nazionale', '2026-10-25', 60, (hour) => 50 + hour)])
    await page.locator('.bars').nth(1).waitFor()
    await expect.poll(() => page.locator('.bars').nth(1).locator('rect[class^=f]').count()).toBe(25)
    await expect.poll(() => page.locator('.bars .readout').count()).toBe(2)
    expect([await page.title(), await page.locator('main').count(), guest.complaints]).toEqual(['not reloaded', 1, []])
  })
})
