/** The machine's Chromium, for tests and benchmarks of the pages; without it they are skipped. */
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

/** The headless shell draws no windows and needs half the CPU. */
const SHELL = '/usr/bin/chromium-headless-shell'
export const CHROMIUM = existsSync(SHELL) ? SHELL : '/usr/bin/chromium'
export const hasChromium = existsSync(CHROMIUM)

/** Shorter than the test's time-out, so that the failure names the step that hangs. */
export const HANG_TIMEOUT_MS = 300_000

/** Loads only the requested pages: no update, no sync, no first-run page. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    timeout: HANG_TIMEOUT_MS,
    executablePath: CHROMIUM,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // By default the shell rounds glyph widths, which changes line breaks.
      '--font-render-hinting=none',
    ],
  })
}

export interface Paint {
  firstContentfulPaintMs: number
  /** Sum of all layout shifts so far; 0 if nothing has moved. */
  layoutShift: number
}

/**
 * Paint time and layout shift of the page, measured once it has been painted and two more frames drawn. The script is a string because
 * tests are compiled without the browser's types.
 */
export function measurePaint(page: Page): Promise<Paint> {
  return page.evaluate(`(async () => {
    let layoutShift = 0
    const count = (entries) => { for (const { value } of entries) layoutShift += value }
    const shifts = new PerformanceObserver((list) => count(list.getEntries()))
    shifts.observe({ type: 'layout-shift', buffered: true })
    const paint = await new Promise((resolve) => new PerformanceObserver((list) => {
      const first = list.getEntriesByName('first-contentful-paint')[0]
      if (first) resolve(first)
    }).observe({ type: 'paint', buffered: true }))
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    count(shifts.takeRecords())
    return { firstContentfulPaintMs: paint.startTime, layoutShift }
  })()`)
}
