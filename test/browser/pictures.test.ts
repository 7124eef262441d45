/**
 * The ten main views as pictures, compared with those in `pictures/`, and what each page weighs. Pictures are compared by the mean of blocks, which
 * forgives how letters are drawn and not where things stand. `UPDATE_PICTURES=1 npm test -- test/browser/pictures.test.ts` takes them again.
 */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_MARKET_ZONES } from '../../src/market/zones.ts'
import { CHROMIUM, HANGS_AFTER_MS, hasChromium, openBrowser } from '../support/browser.ts'
import { zoneDay } from '../support/prices.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { SITE_NOW, seedSite } from '../support/site.ts'

const FOLDER = path.join(import.meta.dirname, 'pictures')
const BYTES_MAX = 300_000
/** Side of a block in pixels, and how far its mean may be off, of 255. */
const BLOCK = 16
const TOLERANCE = 24
/** Share of blocks that may be off, and pixels by which the height may differ: a line of text that breaks elsewhere. */
const SHARE_OFF = 0.02
const HEIGHT_OFF = 50
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 900 }

const VIEWS = [
  { name: 'home', path: '/en/', viewport: DESKTOP, colorScheme: 'light' },
  { name: 'home-phone', path: '/it/', viewport: PHONE, colorScheme: 'dark' },
  { name: 'pun', path: '/en/prices/pun?range=30d', viewport: DESKTOP, colorScheme: 'light' },
  { name: 'pun-phone', path: '/it/prices/pun?range=30d&previous=1&with=ttf', viewport: PHONE, colorScheme: 'light' },
  { name: 'hours', path: '/en/prices/pun/hours?period=2026-11', viewport: DESKTOP, colorScheme: 'light' },
  { name: 'hours-phone', path: '/it/prices/pun/hours?period=2026-10', viewport: PHONE, colorScheme: 'dark' },
  { name: 'zones', path: '/en/zones?date=2026-11-21&hour=14', viewport: DESKTOP, colorScheme: 'light' },
  { name: 'zones-phone', path: '/it/zones?date=2026-11-21&show=price', viewport: PHONE, colorScheme: 'dark' },
  { name: 'bands', path: '/en/bands', viewport: DESKTOP, colorScheme: 'light' },
  { name: 'forecasts', path: '/en/forecasts?range=30d', viewport: DESKTOP, colorScheme: 'light' },
] as const

if (!hasChromium) console.log(`no pictures are taken: there is no ${CHROMIUM}`)

describe.skipIf(!hasChromium)('the main views', () => {
  let service: TestService
  let browser: Browser
  beforeAll(async () => {
    ;[service, browser] = await Promise.all([startTestService({ now: SITE_NOW.toString() }), openBrowser()])
    await seedSite(service)
    const varied = (i: number) => (hour: number) => 90 + 5 * i + 40 * Math.sin((hour + i) / 3.5)
    await service.seed(ALL_MARKET_ZONES.map((zone, i) => zoneDay(zone, '2026-11-21', 60, varied(i))))
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it.each(VIEWS)('$name looks as it did and weighs at most 300 kB', async ({ name, path: address, ...options }) => {
    const context = await browser.newContext({ ...options, locale: 'en-GB', reducedMotion: 'reduce' })
    context.setDefaultTimeout(HANGS_AFTER_MS)
    const page = await context.newPage()
    await page.clock.setFixedTime(SITE_NOW.toString())
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    let bytes = 0
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await page.goto(service.baseUrl + address, { waitUntil: 'load' })
    await page.waitForLoadState('networkidle')
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(BYTES_MAX)
    const taken = await page.screenshot({ fullPage: true, type: 'jpeg', quality: 70 })
    const file = path.join(FOLDER, `${name}.jpg`)
    if (process.env.UPDATE_PICTURES || !existsSync(file)) await writeFile(file, taken)
    const difference = await differenceOf(page, await readFile(file), taken)
    expect(difference.size[0]).toBe(difference.kept[0])
    expect(Math.abs(difference.size[1] - difference.kept[1])).toBeLessThanOrEqual(HEIGHT_OFF)
    expect(difference.shareOff, name).toBeLessThan(SHARE_OFF)
    await context.close()
  })
})

interface Difference {
  size: [number, number]
  kept: [number, number]
  shareOff: number
}

/** Compared by the browser, which can read pictures; in its own words, since tests are compiled without its types. */
function differenceOf(page: Page, kept: Buffer, taken: Buffer): Promise<Difference> {
  return page.evaluate(`(async () => {
    const meansOf = async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }))
      const [width, height] = [bitmap.width, bitmap.height].map((size) => Math.ceil(size / ${BLOCK}))
      const pen = new OffscreenCanvas(width, height).getContext('2d')
      pen.imageSmoothingQuality = 'high'
      pen.drawImage(bitmap, 0, 0, width, height)
      return { size: [bitmap.width, bitmap.height], data: pen.getImageData(0, 0, width, height).data }
    }
    const [kept, taken] = [await meansOf('${kept.toString('base64')}'), await meansOf('${taken.toString('base64')}')]
    let off = 0
    for (let i = 0; i < kept.data.length; i += 4)
      if ([0, 1, 2].some((c) => Math.abs(kept.data[i + c] - (taken.data[i + c] ?? 0)) > ${TOLERANCE})) off++
    return { size: taken.size, kept: kept.size, shareOff: off / (kept.data.length / 4) }
  })()`)
}
