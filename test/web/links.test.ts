/** Every link on every page, and every URL in API responses, leads somewhere. */
import { expect, it } from 'vitest'
import { getPage } from '../support/pages.ts'
import { serviceOfFile } from '../support/service.ts'
import { SITE_NOW, seedSite } from '../support/site.ts'

const service = await serviceOfFile({ now: SITE_NOW.toString() })
await seedSite(service)

const ENTITIES: Record<string, string> = { '&amp;': '&', '&#39;': "'", '&quot;': '"', '&lt;': '<', '&gt;': '>' }

/** URLs of this service that a page links to, each with its fragment. */
function linksOf(html: string, base: string): URL[] {
  return [...html.matchAll(/<(?:a|link|img|form)\b[^>]*? (?:href|src|action)="([^"]*)"/g)]
    .map(
      ([, link = '']) =>
        new URL(
          link.replace(/&(?:amp|#39|quot|lt|gt);/g, (entity) => ENTITIES[entity] ?? ''),
          base,
        ),
    )
    .filter(({ origin }) => origin === service.baseUrl)
}

interface Crawled {
  status: number
  ids: Set<string>
}

/** Follows links from page to page; requests URLs under `/v1` without following their links. Returns the broken links. */
async function crawl(starts: string[]): Promise<{ visited: number; broken: string[] }> {
  const seen = new Map<string, Crawled>()
  const broken: string[] = []
  const waiting = starts.map((start) => ({ from: 'the start', to: new URL(start, service.baseUrl) }))
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { from, to } = next
    const address = to.pathname + to.search
    if (!seen.has(address)) {
      const { status, html, headers } = await getPage(service.baseUrl, address)
      const isPage = headers.get('content-type')?.startsWith('text/html') && !to.pathname.startsWith('/v1')
      seen.set(address, { status, ids: new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)) })
      const links = isPage ? linksOf(html, to.href).filter((link) => !isCombination(to, link)) : []
      waiting.push(...links.map((link) => ({ from: address, to: link })))
    }
    const found = seen.get(address)
    const id = decodeURIComponent(to.hash.slice(1))
    if (found === undefined || found.status >= 400) broken.push(`${from} → ${address}: ${found?.status}`)
    else if (id !== '' && !to.pathname.startsWith('/v1') && !found.ids.has(id))
      broken.push(`${from} → ${address}#${id}: no such part`)
  }
  return { visited: seen.size, broken: [...new Set(broken)] }
}

/** Skips second choices on the same page, and chart files of a choice: each choice is tested alone, and files without one. */
function isCombination(from: URL, to: URL): boolean {
  const isOfPage = from.pathname === to.pathname || /\.(?:csv|metadata\.json)$/.test(to.pathname)
  return isOfPage && from.search !== '' && to.search !== ''
}

it('no page has a broken link, in either language', async () => {
  const { visited, broken } = await crawl(['/', '/en/', '/it/'])
  expect(broken).toEqual([])
  expect(visited).toBeGreaterThan(60)
})

const ADDRESS_FIELDS = ['page', 'docs', 'methodology', 'source_page', 'source_url']

function addressesIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return ADDRESS_FIELDS.includes(name) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => addressesIn(inner, Array.isArray(value) ? name : key))
}

it('the URLs in API responses lead to existing pages and anchors', async () => {
  const { authorization } = await service.asPlan('API')
  const asked = [
    '/today',
    '/pun/today',
    '/forecast/pun',
    '/forecast/pun/next',
    '/forecast/track-record',
    '/status',
    '/prices/pun/series?x=1',
  ]
  const addresses = new Set<string>()
  for (const path of asked) {
    const answer = await service.ask(`/v1${path}`, { headers: { authorization } })
    for (const address of addressesIn(answer.json())) if (address.startsWith(service.baseUrl)) addresses.add(address)
  }
  const paths = [...addresses].map((address) => address.slice(service.baseUrl.length))
  expect(paths).toEqual(
    expect.arrayContaining([
      '/',
      '/v1',
      '/prices/pun',
      '/prices/co2',
      '/docs/methodology',
      '/docs/errors#invalid_parameter',
    ]),
  )
  for (const path of paths) {
    const { status, html } = await getPage(service.baseUrl, path)
    expect([path, status]).toEqual([path, 200])
    const [, id] = path.split('#')
    if (id !== undefined) expect(html).toContain(`id="${id}"`)
  }
})
