/**
 * The cost of the pages: bytes on the wire, latency of a warm page over HTTP, and, if Chromium is installed, time to first paint and
 * layout shift.
 */
import { refreshAggregates } from '../../src/store/aggregates.ts'
import { CHROMIUM, hasChromium, measurePaint, openBrowser } from '../support/browser.ts'
import { storePrices } from '../support/prices.ts'
import { SITE_NOW, seedSite } from '../support/site.ts'
import { atMost, type BenchRow, median, time } from './bench.ts'
import { scratchDatabase, serve } from './scratch.ts'

const PAGES = ['/en/', '/en/prices/pun', '/en/forecasts']
/** Measured for size and paint only: their warm latency is that of the others. */
const MORE_PAGES = [
  '/en/prices/pun/hours',
  '/en/bands',
  '/en/zones',
  '/en/forecasts/hours',
  '/en/forecasts/past',
  '/en/trading',
  '/en/plans',
  '/en/usage',
  '/en/status',
]
const ROUNDS = 200
const PAINTS = 5

export async function pages(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { sql } = scratch.database
  await seedSite({ sql, seed: (items, options) => storePrices(sql, items, options) })
  await refreshAggregates(sql)
  await using service = await serve(scratch, SITE_NOW)
  const origin = service.baseUrl.origin
  const rows: BenchRow[] = []
  for (const page of PAGES) rows.push(await warmTime(origin, page), ...(await sizes(origin, page)))
  for (const page of MORE_PAGES) rows.push(...(await sizes(origin, page)))
  if (hasChromium) rows.push(...(await measurePaints(origin)))
  else console.log(`no paints: there is no ${CHROMIUM}`)
  return rows
}

async function warmTime(origin: string, page: string): Promise<BenchRow> {
  const requestPage = async () => (await fetch(origin + page)).arrayBuffer()
  await requestPage()
  const durations = await time(ROUNDS, requestPage)
  const details = `median of ${ROUNDS} requests over HTTP, the client's time included`
  return atMost(5, 'ms', median(durations), { name: `${page} warm`, details })
}

/** Compressed size as sent: the page alone, and with everything it loads. */
async function sizes(origin: string, page: string): Promise<BenchRow[]> {
  const html = await (await fetch(origin + page)).text()
  const files = [...html.matchAll(/<(?:link rel="(?:stylesheet|icon)"|script|img)[^>]* (?:href|src)="([^"]*)"/g)]
  const addresses = new Set(files.map(([, address = '']) => address))
  const own = await bytesOf(origin + page)
  const others = await Promise.all([...addresses].map((address) => bytesOf(origin + address)))
  const totalBytes = others.reduce((sum, bytes) => sum + bytes, own)
  return [
    atMost(30, 'kB', own / 1000, { name: `${page} HTML`, details: 'gzip' }),
    atMost(300, 'kB', totalBytes / 1000, {
      name: `${page} and all it loads`,
      details: `gzip, ${addresses.size} files`,
    }),
  ]
}

async function bytesOf(address: string): Promise<number> {
  const { headers } = await fetch(address, { headers: { 'accept-encoding': 'gzip' } })
  return Number(headers.get('content-length'))
}

async function measurePaints(origin: string): Promise<BenchRow[]> {
  const browser = await openBrowser()
  try {
    const rows: BenchRow[] = []
    for (const page of [...PAGES, ...MORE_PAGES]) {
      const found: Awaited<ReturnType<typeof measurePaint>>[] = []
      for (let i = 0; i < PAINTS; i++) {
        const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
        const tab = await context.newPage()
        await tab.goto(origin + page)
        found.push(await measurePaint(tab))
        await context.close()
      }
      const first = median(found.map(({ firstContentfulPaintMs }) => firstContentfulPaintMs))
      const shift = Math.max(...found.map(({ layoutShift }) => layoutShift))
      const details = `Chromium, nothing cached, ${PAINTS} visits`
      rows.push(
        atMost(1000, 'ms', first, { name: `${page} first contentful paint`, details }),
        atMost(0, 'shift', shift, { name: `${page} layout shift`, details }),
      )
    }
    return rows
  } finally {
    await browser.close()
  }
}
