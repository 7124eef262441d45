import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { sourceRegistry } from '../../../src/ingest/source-registry.ts'
import { NotYetPublished } from '../../../src/platform/fetch/outcomes.ts'
import { filesOf, OFFERS_URL } from '../../../src/publishers/arera-offers/index.ts'
import { readConfig } from '../../../src/service/config/config.ts'
import { type LocalServer, listenLocally } from '../../support/local-server.ts'

let server: LocalServer | undefined
const asked: { url: string; userAgent: string | undefined }[] = []
afterEach(async () => {
  asked.length = 0
  await server?.[Symbol.asyncDispose]()
  server = undefined
})

/** A portal with the files for which `has` is true. */
async function portal(has: (name: string) => boolean): Promise<URL> {
  await server?.[Symbol.asyncDispose]()
  const handling = createServer((req, res) => {
    asked.push({ url: req.url ?? '', userAgent: req.headers['user-agent'] })
    const name = req.url?.split('/').at(-1) ?? ''
    if (!has(name)) return res.writeHead(404).end('not found')
    return res.writeHead(200, { 'last-modified': 'Sat, 31 Jan 2026 22:40:00 GMT' }).end(`content of ${name}`)
  })
  server = await listenLocally(handling)
  return new URL('/mirror/', server.baseUrl)
}

async function fetchDay(day: string, base: URL, now: string) {
  const names: string[] = []
  const clock = { now: () => Temporal.Instant.from(now) }
  const config = readConfig({ SOURCES: 'arera-offers', ARERA_OFFERS_ADDRESS: base.href, ARERA_OFFERS_INTERVAL_MS: '0' })
  await using sources = sourceRegistry({ config, clock })
  const fetcher = sources.find('arera-offers')
  if (fetcher === undefined) throw new Error(JSON.stringify(sources.off))
  const io = {
    http: sources.http('arera-offers'),
    clock,
    signal: new AbortController().signal,
    conditional: true,
  }
  const on = Temporal.PlainDate.from(day)
  try {
    for await (const { name, bytes, lastModified } of fetcher.fetch({ from: on, to: on }, io)) {
      expect(bytes.toString()).toBe(`content of ${name}`)
      expect(lastModified).toBe('Sat, 31 Jan 2026 22:40:00 GMT')
      names.push(name)
    }
    return { names }
  } catch (error) {
    return { names, error }
  }
}

describe('the URLs of a day', () => {
  it('have the month without a leading zero, as the portal requires', () => {
    const [first, , , , last] = filesOf(Temporal.PlainDate.from('2026-02-01'), new URL(OFFERS_URL))
    expect(first?.url.href).toBe(
      'https://www.ilportaleofferte.it/portaleOfferte/resources/opendata/csv/offerteML/2026_2/PO_Offerte_E_MLIBERO_20260201.xml',
    )
    expect(last?.url.pathname).toMatch(/\/offerte\/2026_2\/PO_Offerte_G_PLACET_20260201\.csv$/)
    expect(filesOf(Temporal.PlainDate.from('2026-10-25'), new URL(OFFERS_URL))[1]?.url.pathname).toMatch(
      /\/2026_10\/.*_20261025\.xml$/,
    )
  })
})

describe('fetching a day', () => {
  it('yields its five lists from a mirror under a path, with a browser user agent', async () => {
    const { names, error } = await fetchDay('2026-02-01', await portal(() => true), '2026-01-31T23:10:00Z')
    expect(error).toBeUndefined()
    expect(names).toHaveLength(5)
    expect(asked.every(({ url }) => url.startsWith('/mirror/offerte'))).toBe(true)
    expect(asked.every(({ userAgent }) => userAgent?.startsWith('Mozilla/5.0'))).toBe(true)
  })

  it('yields the published files and reports the others as not yet published', async () => {
    const base = await portal((name) => name.includes('_E_'))
    const { names, error } = await fetchDay('2026-02-01', base, '2026-01-31T22:45:00Z')
    expect(names).toEqual(['PO_Offerte_E_MLIBERO_20260201.xml', 'PO_Offerte_E_PLACET_20260201.csv'])
    expect(error).toBeInstanceOf(NotYetPublished)
    expect(String(error)).toMatch(/G_MLIBERO_20260201\.xml, PO_Offerte_D_MLIBERO/)
  })

  it('accepts a past day with missing files, but not one without any file', async () => {
    const base = await portal((name) => name.includes('_E_'))
    expect(await fetchDay('2026-01-20', base, '2026-02-01T12:00:00Z')).toEqual({
      names: ['PO_Offerte_E_MLIBERO_20260120.xml', 'PO_Offerte_E_PLACET_20260120.csv'],
    })
    const { error } = await fetchDay('2026-01-20', await portal(() => false), '2026-02-01T12:00:00Z')
    expect(error).toBeInstanceOf(NotYetPublished)
  })
})
