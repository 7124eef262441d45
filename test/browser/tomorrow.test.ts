/** The home page before tomorrow's prices are published, in Chromium; skipped without it. */
import { describe, expect, it } from 'vitest'
import { hasChromium } from '../support/browser.ts'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'
import { browserOfFile, visitBefore, visitsTo } from './visitor.ts'

const service = await serviceOfFile({ now: '2026-10-24T09:00:00Z' })
const visit = visitsTo(service, await browserOfFile(), {})
await service.seed([zoneDay('nazionale', '2026-10-24', 60, () => 100)])

describe.skipIf(!hasChromium)('the home page', () => {
  it('shows tomorrow’s 25 hours without a reload when they are published', async () => {
    const page = await visit()
    const opened = page.waitForResponse((response) => response.url().endsWith('/events/days'))
    await page.goto('/en/')
    await opened
    await page.evaluate(() => {
      document.title = 'not reloaded'
    })
    expect(await page.locator('.bars').getAttribute('data-hours')).toBe('24')
    await service.seed([zoneDay('nazionale', '2026-10-25', 60, (hour) => 50 + hour)])
    await page.locator('.bars[data-hours="49"]').waitFor()
    await expect.poll(() => page.locator('.bars rect[class^=f]').count()).toBe(49)
    await expect.poll(() => page.locator('.bars .readout').count()).toBe(1)
    expect([await page.title(), await page.locator('main').count()]).toEqual(['not reloaded', 1])
    expect(await page.locator('.copyable .copy').count()).toBe(1)
  })

  it('shows prices published after the page was rendered and before its script loads', async () => {
    service.setNow('2026-10-28T09:00:00Z')
    await service.seed([zoneDay('nazionale', '2026-10-28', 60, () => 100)])
    const { page, release } = await visitBefore(visit, 'tomorrow', '/en/')
    await page.locator('[data-awaits]').waitFor()
    await service.seed([zoneDay('nazionale', '2026-10-29', 60, (hour) => 50 + hour)])
    release()
    await expect.poll(() => page.locator('.bars').getAttribute('data-hours')).toBe('48')
  })

  it('reconnects after a refused stream, keeps an open table open, and moves to the next day at midnight', async () => {
    service.setNow('2026-10-26T09:00:00Z')
    await service.seed([zoneDay('nazionale', '2026-10-26', 60, () => 100)])
    const page = await visit(undefined, { provoked: /status of 503/ })
    await page.clock.install({ time: '2026-10-26T09:00:00Z' })
    await page.route('**/events/days', (route) => route.fulfill({ status: 503 }), { times: 1 })
    const statuses: number[] = []
    page.on('response', (response) => response.url().endsWith('/events/days') && statuses.push(response.status()))
    await page.goto('/en/')
    await page.getByText('Show as a table').click()
    await expect.poll(() => page.clock.runFor('01:00').then(() => statuses)).toEqual([503, 200])
    await service.seed([zoneDay('nazionale', '2026-10-27', 60, (hour) => 50 + hour)])
    await page.locator('.bars[data-hours="48"]').waitFor()
    expect(await page.locator('.days details').first().getAttribute('open')).not.toBeNull()
    service.setNow('2026-10-26T23:00:30Z')
    await page.clock.setSystemTime('2026-10-26T23:00:30Z')
    const today = page.getByRole('heading', { name: 'Today, Tuesday 27 October', level: 3 })
    await expect.poll(() => page.clock.runFor('01:00').then(() => today.count())).toBe(1)
  })

  it('shows the next price when its hour begins, and keeps the selected number of hours', async () => {
    service.setNow('2026-10-26T10:20:00Z')
    const page = await visit()
    await page.clock.install({ time: '2026-10-26T10:20:00Z' })
    await page.goto('/en/')
    await page.getByRole('heading', { name: 'Now, 11:00–12:00' }).waitFor()
    await page.getByLabel('For', { exact: true }).selectOption('2')
    await expect.poll(() => page.clock.runFor('00:01').then(() => page.url())).toContain('hours=2')
    service.setNow('2026-10-26T11:00:20Z')
    await page.clock.setSystemTime('2026-10-26T11:00:20Z')
    const next = page.getByRole('heading', { name: 'Now, 12:00–13:00' })
    await expect.poll(() => page.clock.runFor('00:20').then(() => next.count())).toBe(1)
    expect(await page.getByLabel('For', { exact: true }).inputValue()).toBe('2')
  })
})
