/** A person with a separate browser context: isolated from other tests, with all errors and unexpected requests recorded. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll } from 'vitest'
import { CHROMIUM, HANG_TIMEOUT_MS, hasChromium, openBrowser } from '../support/browser.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface Visitor extends AsyncDisposable {
  page: Page
  context: BrowserContext
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
  const context = await browser.newContext(options)
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
  return { page, context, complaints, [Symbol.asyncDispose]: () => context.close() }
}

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
