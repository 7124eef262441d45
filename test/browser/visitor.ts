/** People with separate browser contexts: isolated from each other, with all errors and unexpected requests recorded. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Locator, Page, Request } from 'playwright-core'
import { afterAll, expect, onTestFinished } from 'vitest'
import { CHROMIUM, HANG_TIMEOUT_MS, hasChromium, openBrowser } from '../support/browser.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Visitor extends AsyncDisposable {
  page: Page
  /** Console messages, policy violations and requests to other hosts; empty if all is well. */
  complaints: string[]
}

/** One browser for all tests of the calling file, closed after the last; without Chromium the tests are skipped. */
export async function browserOfFile(): Promise<Browser> {
  if (!hasChromium) {
    console.log(`not tested in a browser: there is no ${CHROMIUM}`)
    return undefined as unknown as Browser
  }
  const browser = await openBrowser()
  afterAll(() => browser.close())
  return browser
}

export async function openVisitor(browser: Browser, baseUrl: string, options: BrowserContextOptions): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: baseUrl, ...options })
  context.setDefaultTimeout(HANG_TIMEOUT_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (err) => complaints.push(`${page.url()}: ${err.message}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(baseUrl)) complaints.push(`${page.url()} asks for ${request.url()}`)
  })
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
}

export interface VisitOptions extends BrowserContextOptions {
  /** Matches complaints that the test provokes, such as Chromium's own message for a failed request. */
  provoked?: RegExp
  /** Prepares the page before it goes to the path. */
  prepare?: (page: Page) => Promise<unknown>
}

/**
 * Opens a page for a new person, at the path if there is one. The person leaves at the end of the test, which fails if there was a
 * complaint.
 */
type Visit = (path?: string, options?: VisitOptions) => Promise<Page>

export function visitsTo({ baseUrl }: { baseUrl: string }, browser: Browser, defaults: BrowserContextOptions): Visit {
  return async (path, { provoked, prepare, ...options } = {}) => {
    const { page, complaints } = await openVisitor(browser, baseUrl, { locale: 'en-GB', ...defaults, ...options })
    onTestFinished(async () => {
      const unexpected = complaints.filter((text) => !provoked?.test(text))
      await page.context().close()
      expect(unexpected).toEqual([])
    })
    await prepare?.(page)
    if (path !== undefined) await goTo(page, path)
    return page
  }
}

export async function goTo(page: Page, path: string): Promise<void> {
  const response = await page.goto(path)
  expect([path, response?.status()]).toEqual([path, 200])
}

/** Delays the first matching request until it is released. */
export async function hold(page: Page, isMeant: (request: Request) => boolean) {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const arrival = Promise.withResolvers<Request>()
  let isFirst = true
  await page.route('**', async (route) => {
    const request = route.request()
    if (!isFirst || !isMeant(request)) return route.fallback()
    isFirst = false
    arrival.resolve(request)
    await promise
    return route.continue()
  })
  return { release, arrived: arrival.promise }
}

/** Opens a page whose script of that name is delayed until it is released. */
export async function visitBefore(visit: Visit, script: string, path: string, options: VisitOptions = {}) {
  const page = await visit(undefined, options)
  const { release, arrived } = await hold(page, (request) => request.url().includes(`/assets/${script}.`))
  await page.goto(path, { waitUntil: 'commit' }) // the script also delays the load event
  await arrived
  return { page, release }
}

/** On the page with the usage of a key. */
export async function useKey(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Use this key' }).click()
}
export const storedKey = (page: Page) => page.evaluate(() => localStorage.getItem('api-key'))

/** As in a browser whose settings deny local storage. */
export async function denyStorage(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError')
      },
    })
  })
}

export async function boxOf(target: Locator) {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (box === null) throw new Error(`${target} is not shown`)
  return box
}

/** Drags the mouse over the second quarter of a chart. */
export async function zoomIn(page: Page, chart: Locator): Promise<void> {
  const { x, y, width } = await boxOf(chart.locator('.u-over'))
  await page.mouse.move(x + width * 0.25, y + 50)
  await page.mouse.down()
  await page.mouse.move(x + width * 0.5, y + 50, { steps: 4 })
  await page.mouse.up()
}

/** The file that an action downloads, and its lines. */
export async function download(page: Page, action: () => Promise<void>) {
  const [saved] = await Promise.all([page.waitForEvent('download'), action()])
  const bytes = await readFile(await saved.path())
  return { name: saved.suggestedFilename(), bytes, lines: bytes.toString().trimEnd().split('\r\n') }
}

/** A parameter of the URL. */
export const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

/** Counts the bytes that the page loads from now on: of a type, such as `Script`, or of all types. */
export async function countedBytes(page: Page): Promise<(type?: string) => number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const types = new Map<string, string>()
  const loaded: { type: string | undefined; bytes: number }[] = []
  devtools.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type))
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) => {
    loaded.push({ type: types.get(requestId), bytes })
  })
  return (type) => loaded.reduce((sum, one) => (type === undefined || one.type === type ? sum + one.bytes : sum), 0)
}

/** Findings of axe-core, plus an overflow if the page is wider than its window. */
export async function accessibilityIssues(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'] }),
  )
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  return [
    ...(overflow > 0 ? [`${page.url()} is ${overflow} pixels too wide`] : []),
    ...violations.map(
      ({ id, nodes }) => `${page.url()}: ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    ),
  ]
}

interface Axe {
  /** `resultTypes` leaves out details of passed checks. */
  run(options: { resultTypes: string[] }): Promise<{
    violations: { id: string; nodes: { target: string[] }[] }[]
  }>
}
