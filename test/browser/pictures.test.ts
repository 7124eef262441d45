/**
 * Twelve views at two widths, light and dark, as screenshots compared with those in `pictures/`, and the weight of each page. The mean of
 * blocks is compared, which tolerates glyph rendering but not moved elements. `UPDATE_PICTURES=home npm run test:slow --
 * test/browser/pictures.test.ts` retakes the screenshots of a view, `all` those of every view.
 */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ALL_MARKET_ZONES } from '../../src/market/zones.ts'
import { hasChromium } from '../support/browser.ts'
import { zoneDay } from '../support/prices.ts'
import { serviceOfFile } from '../support/service.ts'
import { SITE_NOW, seedPastForecasts, seedSite } from '../support/site.ts'
import { browserOfFile, countedBytes, openVisitor } from './visitor.ts'

const FOLDER = path.join(import.meta.dirname, 'pictures')
const BYTES_MAX = 300_000
/** Block size in pixels, and tolerance of its mean, out of 255. */
const BLOCK = 16
const TOLERANCE = 24
/** Share of blocks that may differ, and tolerance of the page height in pixels: a line of text that breaks elsewhere. */
const DIFFERING_SHARE_MAX = 0.02
const HEIGHT_DIFFERENCE_MAX = 50
/** The first screen and three more. */
const WIDTHS = [
  { width: 390, height: 844, heightMax: 2600 },
  { width: 1280, height: 900, heightMax: 1800 },
] as const
const VIEWS = {
  home: '/',
  bill: '/bands?f0=270&spread=0.02&contract=flat',
  pun: '/prices/pun?range=30d&previous=1&with=ttf',
  hours: '/prices/pun/hours?period=2026-11',
  zones: '/zones?date=2026-11-21&hour=14',
  forecasts: '/forecasts?range=30d',
  past: '/forecasts/past?day=2026-11-19',
  trading: '/trading?period=week',
  status: '/status',
  docs: '/docs',
  reference: '/docs/reference/tools',
  plans: '/plans',
} as const
const VARIANTS = WIDTHS.flatMap((size) => [
  { ...size, colorScheme: 'light', language: 'en' } as const,
  { ...size, colorScheme: 'dark', language: 'it' } as const,
])
/** A view to retake, or `all`. */
const VIEW_TO_UPDATE = process.env.UPDATE_PICTURES

const service = await serviceOfFile({ now: SITE_NOW.toString() })
const browser = await browserOfFile()
await seedSite(service)
await seedPastForecasts(service)
const varied = (i: number) => (hour: number) => 90 + 5 * i + 40 * Math.sin((hour + i) / 3.5)
const days = Array.from({ length: 30 }, (_, i) => Temporal.PlainDate.from('2026-10-23').add({ days: i }).toString())
await service.seed(ALL_MARKET_ZONES.flatMap((zone, i) => days.map((day) => zoneDay(zone, day, 60, varied(i)))))

describe.skipIf(!hasChromium)('the main views', () => {
  // One after another in a separate browser: background pages may not be painted.
  it.concurrent.for(VARIANTS)('match their screenshots, $width pixels, $colorScheme', async (look, { expect }) => {
    const { width, height, heightMax, colorScheme, language } = look
    const options = { viewport: { width, height }, colorScheme, reducedMotion: 'reduce' } as const
    await using guest = await openVisitor(browser, service.baseUrl, options)
    const { page } = guest
    await page.clock.setFixedTime(SITE_NOW.toString())
    const visit = (address: string) =>
      page.goto(`${service.baseUrl}/${language}${address}`, { waitUntil: 'networkidle' })
    // The font may arrive after the first paint of the first visit.
    await visit(VIEWS.home)
    for (const [view, address] of Object.entries(VIEWS)) {
      await visit(address)
      const shown = Math.min(heightMax, await page.evaluate(() => document.documentElement.scrollHeight))
      const taken = await page.screenshot({ fullPage: true, clip: { x: 0, y: 0, width, height: shown } })
      const name = `${view}-${width}-${colorScheme}`
      const file = path.join(FOLDER, `${name}.webp`)
      if (VIEW_TO_UPDATE === view || VIEW_TO_UPDATE === 'all' || !existsSync(file))
        await writeFile(file, await webpOf(page, taken))
      const difference = await differenceOf(page, await readFile(file), taken)
      expect.soft(difference.size[0], name).toBe(difference.kept[0])
      expect.soft(Math.abs(difference.size[1] - difference.kept[1]), name).toBeLessThanOrEqual(HEIGHT_DIFFERENCE_MAX)
      expect.soft(difference.shareOff, name).toBeLessThan(DIFFERING_SHARE_MAX)
    }
  })

  it('weigh at most 300 kB on a first visit', async () => {
    for (const address of Object.values(VIEWS)) {
      await using guest = await openVisitor(browser, service.baseUrl, {})
      const bytesOf = await countedBytes(guest.page)
      await guest.page.goto(`${service.baseUrl}/it${address}`, { waitUntil: 'networkidle' })
      expect(bytesOf(), address).toBeGreaterThan(10_000)
      expect(bytesOf(), address).toBeLessThan(BYTES_MAX)
    }
  })
})

const QUALITY = 0.3

async function webpOf(page: Page, taken: Buffer): Promise<Buffer> {
  const base64 = await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${taken.toString('base64')}'), (c) => c.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes]))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    canvas.getContext('2d').drawImage(bitmap, 0, 0)
    const made = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/webp', quality: ${QUALITY} })).arrayBuffer())
    return btoa(Array.from(made, (byte) => String.fromCharCode(byte)).join(''))
  })()`)
  return Buffer.from(base64 as string, 'base64')
}

interface Difference {
  size: [number, number]
  kept: [number, number]
  shareOff: number
}

/** Compared in the browser, which can decode images; a string because tests are compiled without the browser's types. */
function differenceOf(page: Page, kept: Buffer, taken: Buffer): Promise<Difference> {
  return page.evaluate(`(async () => {
    const meansOf = async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes]))
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
