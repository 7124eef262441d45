/** The descriptor of a bulk export and its download over HTTP. Spec: "Bulk export descriptor". */
import { createHash } from 'node:crypto'
import { rm, truncate } from 'node:fs/promises'
import { get } from 'node:http'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { BULK_DATASETS, BULK_FORMATS } from '../../../src/api/contract/bulk.ts'
import type { OpenedFile } from '../../../src/delivery/bulk/bulk-export-service.ts'
import { recordExportEnd, recordExportRequest } from '../../../src/store/bulk-files.ts'
import { scoreForecasts } from '../../../src/store/forecast-ledger.ts'
import { seedIssue } from '../../support/forecasts.ts'
import { operationsOf } from '../../support/operations.ts'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { serviceOfFile, startTestService, type TestService } from '../../support/service.ts'

const NOW = '2026-11-21T10:00:00Z'

const service = await serviceOfFile({ now: NOW.replace('Z', '.25Z') })
const enterprise = { headers: await service.asPlan('Enterprise') }

const describeFile = (query = '') => service.ask(`/v1/bulk/pun-hourly${query}`, enterprise)
const address = async (query = '') => new URL((await describeFile(query)).json().download_url as string)

describe('GET /v1/bulk/{dataset} without a file', () => {
  it('503 no_data with Retry-After', async () => {
    const answer = await describeFile()
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({ error: 'no_data' })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('requests no file while there is no data', async () => {
    await describeFile()
    expect(service.fileRequestCount()).toBe(0)
  })

  it('requests the file once the dataset has data', async () => {
    await service.seed([zoneDay('nord', '2026-11-20', 60, (hour) => hour)])
    expect((await describeFile()).status).toBe(503)
    expect(service.fileRequestCount()).toBe(1)
    await service.ask('/v1/bulk/mercato-libero', enterprise)
    expect(service.fileRequestCount()).toBe(1)
  })

  it('does not request a file that is being created or failed within the last hour', async () => {
    const pair = { dataset: 'pun-hourly', format: 'parquet' } as const
    const wantedAt = async (now: string) => {
      service.setNow(now)
      const before = service.fileRequestCount()
      await describeFile()
      return service.fileRequestCount() - before
    }
    await recordExportRequest(service.sql, pair, Temporal.Instant.from(NOW))
    expect(await wantedAt('2026-11-21T10:59:59Z')).toBe(0)
    await recordExportEnd(service.sql, pair, { at: Temporal.Instant.from(NOW), outcome: 'failed', detail: 'a test' })
    expect(await wantedAt('2026-11-21T10:59:59Z')).toBe(0)
    expect(await wantedAt('2026-11-21T11:00:00Z')).toBe(1)
    service.setNow(NOW)
  })

  it('503 if no source may be redistributed', async () => {
    await service.publishFile('pun-hourly', 'parquet')
    expect((await describeFile()).status).toBe(503)
  })
})

describe('a bulk file', () => {
  beforeAll(async () => {
    await service.sql`update sources set redistributable = true`
    await service.seed(['2026-03-29', '2026-10-25'].map((day) => zoneDay('nord', day, 15, (quarter) => quarter / 4)))
    for (const format of BULK_FORMATS) await service.publishFile('pun-hourly', format)
  })

  it('is described as Parquet by default', async () => {
    const answer = await describeFile()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.json()).toMatchObject({
      dataset: 'pun-hourly',
      format: 'parquet',
      rows: 24 + 92 + 100,
      schema_version: 1,
      from: '2026-03-29',
      to: '2026-11-20',
      generated_at: NOW,
      expires_at: '2026-11-21T11:00:00Z',
      attribution: expect.stringContaining('Gestore dei Mercati Energetici'),
    })
  })

  it.each(BULK_FORMATS)('is downloaded whole as %s, without a key', async (format) => {
    const { bytes, sha256, download_url: url } = (await describeFile(`?format=${format}`)).json()
    const answer = await fetch(url as string)
    const content = Buffer.from(await answer.arrayBuffer())
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe(String(bytes))
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
    expect(answer.headers.get('etag')).toBe(`"${sha256}"`)
    const extension = format === 'arrow' ? 'arrows' : format
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="pun-hourly.${extension}"`)
    expect((await fetch(url as string, { headers: { 'if-none-match': `"${sha256}"` } })).status).toBe(304)
  })

  it('has the CSV dialect of the API responses', async () => {
    const text = gunzipSync(await (await fetch(await address('?format=csv.gz'))).arrayBuffer()).toString()
    expect(text.split('\r\n').slice(0, 2)).toEqual([
      'zone;starts_at;resolution_minutes;eur_mwh;source;observed_at;ends_at',
      expect.stringMatching(
        /^nord;2026-03-28T23:00:00Z;15;0,25;Gestore dei Mercati Energetici S\.p\.A\. \(GME\);20[^;]*;2026-03-28T23:15:00Z$/,
      ),
    ])
  })

  it.each([
    ['bytes=0-3', 206, 'PAR1'],
    ['bytes=-4', 206, 'PAR1'],
    ['bytes=0-3,5-6', 200, undefined],
  ])('is sent in part for a single range, whole for several: %s', async (range, status, text) => {
    const answer = await fetch(await address(), { headers: { range } })
    const body = await answer.text()
    expect(answer.status).toBe(status)
    if (text !== undefined) expect(body).toBe(text)
    expect(answer.headers.get('content-range')).toEqual(
      status === 206 ? expect.stringMatching(/^bytes \d+-\d+\/\d+$/) : null,
    )
  })

  it('returns 416 for a range beyond its end, and is sent whole if If-Range does not match', async () => {
    const url = await address()
    const { bytes } = (await describeFile()).json()
    const beyond = await fetch(url, { headers: { range: `bytes=${bytes}-` } })
    expect(beyond.status).toBe(416)
    expect(beyond.headers.get('content-range')).toBe(`bytes */${bytes}`)
    const other = await fetch(url, { headers: { range: 'bytes=0-3', 'if-range': '"another"' } })
    expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, bytes])
  })

  it('returns 412 unless If-Match is * or contains its strong entity tag', async () => {
    const url = await address()
    const { sha256 } = (await describeFile()).json()
    const demand = (tags: string) => fetch(url, { method: 'HEAD', headers: { 'if-match': tags } })
    const statuses = ['*', `"${sha256}"`, `"another", "${sha256}"`, `W/"${sha256}"`, '"another"'].map(demand)
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 200, 200, 412, 412])
    const refused = await fetch(url, { headers: { 'if-match': '"another"', 'if-none-match': `"${sha256}"` } })
    const problem = { error: 'invalid_parameter', param: 'If-Match' }
    expect([refused.status, await refused.json()]).toEqual([412, expect.objectContaining(problem)])
  })

  it('answers HEAD with the headers of GET and no body', async () => {
    const answer = await fetch(await address(), { method: 'HEAD' })
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, 0])
    expect(answer.headers.get('content-length')).toBe(String((await describeFile()).json().bytes))
  })

  it('returns 405 to other methods', async () => {
    const answer = await fetch(await address(), { method: 'POST' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect(await answer.json()).toMatchObject({ error: 'method_not_allowed' })
  })

  it('is refused if the download URL is altered, of another file, or expired', async () => {
    const url = await address()
    const { pathname } = await address('?format=csv.gz')
    const later = String(Number(url.searchParams.get('expires')) + 60)
    for (const [status, change] of [
      [403, ({ searchParams }) => searchParams.set('expires', later)],
      [403, ({ searchParams }) => searchParams.set('signature', 'A'.repeat(43))],
      [403, (altered) => Object.assign(altered, { pathname })],
      [400, ({ searchParams }) => searchParams.delete('signature')],
      [400, ({ searchParams }) => searchParams.append('more', '1')],
    ] as [number, (altered: URL) => void][]) {
      const altered = new URL(url)
      change(altered)
      expect((await fetch(altered)).status, altered.href).toBe(status)
    }
    service.setNow('2026-11-21T11:00:00Z')
    const expired = await fetch(url)
    expect(expired.status).toBe(403)
    expect(await expired.json()).toMatchObject({ message: expect.stringContaining('expired') })
    service.setNow(NOW)
    expect((await fetch(url)).status).toBe(200)
  })

  it('has exactly one spelling of its download URL', async () => {
    const { pathname, search } = await address()
    const [, expires, signature] = /expires=(\d+)&signature=(.+)/.exec(search) ?? []
    const status = async (target: string) => (await fetch(service.baseUrl + target)).status
    expect(await status(pathname + search)).toBe(200)
    for (const otherwise of [
      `${pathname}?signature=${signature}&expires=${expires}`,
      `${pathname}${search}=`,
      `${pathname}${search}%3D`,
      `${pathname}${search.replace('signature=', 'signature=%2B')}`,
      `${pathname}${search.replace('expires=', '%65xpires=')}`,
      `${pathname}${search.replace('expires=', '&expires=')}`,
      `${pathname.replace('pun', '%70un')}${search}`,
    ])
      expect(await status(otherwise), otherwise).toBe(403)
    for (const more of [`${search}&`, `${search}&expires=${expires}`, `${search}&Signature=${signature}`, `${search}&`])
      expect([400, 403], more).toContain(await status(pathname + more))
  })

  it.each(['..%2F..%2Fpackage.json', '%2e%2e%2fsecrets.key', 'x%00.parquet', '.vm.1.00000000.part'])(
    'is not served at /downloads/%s',
    async (name) => {
      const { search } = await address()
      const answer = await fetch(`${service.baseUrl}/downloads/${name}${search}`)
      expect([400, 403, 404]).toContain(answer.status)
      expect(answer.headers.get('content-disposition')).toBeNull()
    },
  )

  it('is not a failed request if the client disconnects before the first byte', async () => {
    const { bulk } = service.service
    if (bulk === undefined) throw new Error('the service has no bulk exports')
    const open = bulk.open.bind(bulk)
    const url = await address()
    const logged = service.logText().length
    const newLines = () => service.logText().slice(logged)
    const { promise: opening, resolve: opens } = Promise.withResolvers<OpenedFile>()
    using _ = vi.spyOn(bulk, 'open').mockImplementationOnce(async (...asked) => {
      const file = await open(...asked)
      opens(file)
      await expect.poll(newLines).toContain('"aborted":true')
      return file
    })
    const req = get(url)
    req.on('error', () => {}) // the connection is cut
    const { handle } = await opening
    req.destroy()
    await expect.poll(() => handle.fd).toBe(-1)
    await describeFile() // an error of the download would be logged by now
    expect(newLines()).not.toContain('request_failed')
  })

  it('keeps its signature out of the log', async () => {
    const url = await address()
    await (await fetch(url)).arrayBuffer()
    expect(service.logText()).toContain('/downloads/pun-hourly-')
    expect(service.logText()).not.toContain(url.searchParams.get('signature'))
  })

  it('stays downloadable after its replacement until its URLs expire, then is removed', async () => {
    const before = await address()
    await service.seed([zoneDay('nord', '2026-11-21', 60, (hour) => hour)])
    service.setNow('2026-11-21T10:30:00Z')
    await service.publishFile('pun-hourly', 'parquet')
    expect((await describeFile()).json()).toMatchObject({ rows: 216 + 24, to: '2026-11-21' })
    expect((await fetch(before)).status).toBe(200)
    service.setNow('2026-11-21T13:00:00Z')
    await service.publishFile('prices-daily', 'parquet')
    service.setNow('2026-11-21T10:30:00Z')
    expect((await fetch(before)).status).toBe(404)
    expect((await fetch(await address())).status).toBe(200)
    service.setNow(NOW)
  })
})

describe.each([
  ['lost', (file: string) => rm(file)],
  ['cut short', (file: string) => truncate(file, 100)],
])('a file that the store has %s', (_how, harm) => {
  const csv = { dataset: 'pun-hourly', format: 'csv.gz' } as const
  const publishedAt = async (instant: string) => {
    const at = Temporal.Instant.from(instant)
    await recordExportRequest(service.sql, csv, at)
    await recordExportEnd(service.sql, csv, { at, outcome: 'published' })
  }
  let download: URL
  beforeAll(async () => {
    download = await address('?format=csv.gz')
    await harm(path.join(service.folder, path.basename(download.pathname)))
    await publishedAt('2026-11-21T09:58:00Z')
  })
  afterAll(() => service.setNow(NOW))

  it.each([
    ['its descriptor', () => fetch(`${service.baseUrl}/v1/bulk/pun-hourly?format=csv.gz`, enterprise)],
    ['its address', () => fetch(download)],
  ])('returns 503 no_data at %s and is requested at once', async (_where, ask) => {
    const before = service.fileRequestCount()
    const answer = await ask()
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('60')
    expect(await answer.json()).toMatchObject({ error: 'no_data', message: expect.stringContaining('was lost') })
    expect(service.fileRequestCount()).toBe(before + 1)
  })

  it('is requested once a minute at most if it is lost repeatedly', async () => {
    await publishedAt('2026-11-21T10:00:30Z')
    const before = service.fileRequestCount()
    service.setNow('2026-11-21T10:01:29Z')
    expect((await describeFile('?format=csv.gz')).status).toBe(503)
    expect(service.fileRequestCount()).toBe(before)
    service.setNow('2026-11-21T10:01:30Z')
    expect((await describeFile('?format=csv.gz')).status).toBe(503)
    expect(service.fileRequestCount()).toBe(before + 1)
  })

  it('is available again once it has been recreated', async () => {
    await service.publishFile('pun-hourly', 'csv.gz')
    expect((await fetch(await address('?format=csv.gz'))).status).toBe(200)
  })
})

it('the OpenAPI document lists every bulk dataset', async () => {
  const document = (await service.ask('/v1/openapi.json')).json() as Parameters<typeof operationsOf>[0]
  const operation = operationsOf(document).find(({ path }) => path === '/bulk/{dataset}')
  expect(operation?.parameters.find(({ name }) => name === 'dataset')?.schema.enum).toEqual(BULK_DATASETS)
})

describe('the forecasts', () => {
  const attribution = async (of: TestService = service) => {
    await of.publishFile('forecast-history', 'parquet')
    const answer = await of.ask('/v1/bulk/forecast-history', { headers: await of.asPlan('Enterprise') })
    return answer.json().attribution as string
  }
  const issued = { asset: 'TTF', infoDate: '2026-11-19', issuedAt: '2026-11-19T18:00:00Z', days: 3 } as const

  it('are marked if made from synthetic prices', async () => {
    const invented = await startTestService({ now: NOW })
    onTestFinished(() => invented.stop())
    await seedIssue(invented.sql, { ...issued, chain: 'sample' })
    expect(await attribution(invented)).toMatch(/^Source: Synthetic sample data \(not market prices\), via /)
  })

  it('name the publishers of the actual prices once scored', async () => {
    await seedIssue(service.sql, issued)
    expect(await attribution()).not.toContain('Source')
    await service.seed([dailyPrice('TTF', '2026-11-20', 31)], { source: 'eex-ttf' })
    await scoreForecasts(service.sql, 'TTF', Temporal.Instant.from(NOW))
    expect(await attribution()).toMatch(/^Source: .*EEX.*, via /)
  })
})
