import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { knownKeys, testAccess } from '../../../support/access.ts'
import { rawRequest, type StubService, startStubService } from '../../../support/stub-service.ts'

const PRICES = Array.from({ length: 30 }, (_, i) => ({
  asset: 'PUN' as const,
  day: Temporal.PlainDate.from('2026-10-23').add({ days: i }).toString(),
  price: 100 + i,
}))
const SERIES = '/v1/prices/pun/series'

let service: StubService
beforeEach(async () => {
  service = await startStubService({
    prices: PRICES,
    access: testAccess({ keys: knownKeys({ 'a-key': 'Developer' }) }),
  })
})
afterEach(() => service.stop())

const get = (target: string, headers: Record<string, string> = {}) => rawRequest(service.baseUrl, target, { headers })
/** CSV and more than 30 days of history require a key. */
const getKeyed = (target: string, headers: Record<string, string> = {}) =>
  get(target, { ...headers, authorization: 'Bearer a-key' })

describe('caching', () => {
  it('sets max-age and stale-while-revalidate', async () => {
    const { headers } = await get('/v1/pun/today')
    expect(headers['cache-control']).toBe('public, max-age=900, stale-while-revalidate=3600')
    expect((await get(SERIES)).headers['cache-control']).toBe('public, max-age=3600, stale-while-revalidate=3600')
  })

  it('reads the store once for equivalent requests, however they are spelt', async () => {
    await getKeyed(`${SERIES}?from=2026-11-01&unit=mwh`)
    await getKeyed(`${SERIES}?unit=mwh&from=2026-11-01`)
    await getKeyed(`${SERIES}?from=2026-11-01&to=2026-11-21`)
    expect(service.readCount()).toBe(2) // with and without `to` are separate cache entries
    await getKeyed(`${SERIES}?from=2026-11-01`, { accept: 'text/csv' })
    await getKeyed(`${SERIES}?from=2026-11-01&format=csv`)
    expect(service.readCount()).toBe(3)
  })

  it('returns a new value as soon as it is stored', async () => {
    const before = await get('/v1/pun/today')
    service.publish([{ asset: 'PUN', day: '2026-11-21', price: 55 }])
    const after = await get('/v1/pun/today')
    expect(JSON.parse(after.body.toString()).value_native).toBe(55)
    expect(after.headers.etag).not.toBe(before.headers.etag)
  })

  it('switches to the new day at midnight in Rome', async () => {
    service.setNow('2026-11-20T22:59:59Z')
    expect(JSON.parse((await get('/v1/pun/today')).body.toString()).date).toBe('2026-11-20')
    service.setNow('2026-11-20T23:00:00Z')
    expect(JSON.parse((await get('/v1/pun/today')).body.toString()).date).toBe('2026-11-21')
  })

  it('does not store errors', async () => {
    service.failWith(new Error('once'))
    expect((await get('/v1/pun/today')).status).toBe(500)
    service.failWith(undefined)
    expect((await get('/v1/pun/today')).status).toBe(200)
  })
})

describe('entity tags', () => {
  it('304 without a body for the tag the client has', async () => {
    const { headers } = await get('/v1/pun/today')
    const again = await get('/v1/pun/today', { 'if-none-match': `"other", W/${headers.etag}` })
    expect(again.status).toBe(304)
    expect(again.body).toHaveLength(0)
    expect(again.headers).toMatchObject({
      etag: headers.etag,
      'cache-control': headers['cache-control'],
      vary: headers.vary,
      'access-control-allow-origin': '*',
    })
    expect(again.headers).not.toHaveProperty('content-type')
  })

  it('200 for another tag', async () => {
    expect((await get('/v1/pun/today', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('differ between encodings, formats and contents', async () => {
    const variants = [
      await getKeyed(SERIES),
      await getKeyed(SERIES, { 'accept-encoding': 'gzip' }),
      await getKeyed(SERIES, { 'accept-encoding': 'br' }),
      await getKeyed(SERIES, { accept: 'text/csv' }),
      await getKeyed(`${SERIES}?unit=kwh`),
    ]
    expect(variants.map((variant) => variant.status)).toEqual(variants.map(() => 200))
    expect(new Set(variants.map((variant) => variant.headers.etag)).size).toBe(variants.length)
    const [, gzip] = variants
    const again = await getKeyed(SERIES, { 'accept-encoding': 'gzip', 'if-none-match': String(gzip?.headers.etag) })
    expect(again.status).toBe(304)
  })
})

describe('compression', () => {
  it('preserves the content in gzip and Brotli', async () => {
    const plain = await get(SERIES)
    const gzip = await get(SERIES, { 'accept-encoding': 'gzip' })
    const brotli = await get(SERIES, { 'accept-encoding': 'gzip, deflate, br' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.body)).toEqual(plain.body)
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body)
    expect(Number(brotli.headers['content-length'])).toBe(brotli.body.length)
    for (const answer of [plain, gzip, brotli])
      expect(answer.headers.vary).toBe('Accept, Accept-Encoding, Authorization')
  })

  it('is not applied to short responses', async () => {
    const { headers } = await get('/v1/pun/today', { 'accept-encoding': 'gzip' })
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers.vary).toBe('Accept-Encoding, Authorization')
  })
})

describe('HEAD', () => {
  it('has the headers of GET and no body', async () => {
    const got = await get('/v1/today')
    const head = await rawRequest(service.baseUrl, '/v1/today', { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.body).toHaveLength(0)
    expect(head.headers.etag).toBe(got.headers.etag)
    expect(head.headers['content-length']).toBe(String(got.body.length))
  })
})
