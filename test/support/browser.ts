/** Chromium as the machine has it, for tests and benches of the pages; those that need it are skipped where it is absent. */
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

/** The headless shell, which draws no windows, takes half as much of the processor. */
const SHELL = '/usr/bin/chromium-headless-shell'
export const CHROMIUM = existsSync(SHELL) ? SHELL : '/usr/bin/chromium'
export const hasChromium = existsSync(CHROMIUM)

/** Before the test is ended, so that what was waited for is shown. */
export const HANGS_AFTER_MS = 300_000

/** Nothing but the pages asked for is loaded: no update, no sync, no first run. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    timeout: HANGS_AFTER_MS,
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
      // The shell's default rounds the widths of letters, so that lines break elsewhere.
      '--font-render-hinting=none',
    ],
  })
}

export interface Paint {
  firstContentfulPaintMs: number
  /** Sum of all layout shifts so far: 0 where nothing has moved. */
  layoutShift: number
}

/**
 * How the page came onto the screen, once it has been painted and two more frames have been drawn. In the browser's own words, since
 * tests are compiled without its types.
 */
export function paintOf(page: Page): Promise<Paint> {
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
