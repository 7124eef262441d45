import type { LookupAddress } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { LINKS_KEY, mailedLink } from '../../support/deliveries.ts'
import { serviceOfFile } from '../../support/service.ts'
import { sendJson } from '../send-json.ts'

const ALERT_REQUEST = {
  asset: 'pun',
  condition: 'above',
  threshold: 150,
  webhook_url: 'https://hooks.example.com/energy',
}

const PUBLIC = [{ address: '93.184.215.14', family: 4 }]
/** The addresses to which names resolve; undefined: they do not resolve. */
let resolved: LookupAddress[] | undefined = PUBLIC

const service = await serviceOfFile({
  now: '2026-10-24T10:00:00Z',
  env: { SECRETS_KEY: LINKS_KEY },
  resolve: (_host, callback) => callback(resolved ? null : new Error('ENOTFOUND'), resolved ?? []),
})
const { key } = await service.issueKey('API')

const bearer = (of: string) => ({ authorization: `Bearer ${of}` })
const post = (path: string, body?: unknown, as = key) => sendJson(service, path, body, bearer(as))
const get = (path: string, as = key) => service.ask(path, { headers: bearer(as) })

describe('POST /v1/alerts', () => {
  it('200: creates an alert and shows its secret only once', async () => {
    const answer = await post('/v1/alerts', ALERT_REQUEST)
    expect(answer.status).toBe(200)
    const created = answer.json()
    expect(created).toMatchObject({ ...ALERT_REQUEST, status: 'active', created_at: '2026-10-24T10:00:00Z' })
    expect(created.id).toMatch(/^alr_[0-9a-z]{16}$/)
    expect(created.signing_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const read = await get(`/v1/alerts/${created.id}`)
    expect(read.json()).not.toHaveProperty('signing_secret')
    expect(JSON.stringify(await service.sql`select * from webhooks`)).not.toContain(created.signing_secret)
    expect(service.logText()).not.toContain(created.signing_secret)
  })

  it.each(['pun-zona-cala', 'pun-zona-sard'])('200: accepts the asset %s', async (asset) => {
    const answer = await post('/v1/alerts', { ...ALERT_REQUEST, asset })
    expect([answer.status, answer.json().asset]).toEqual([200, asset])
  })

  it.each([
    ['an unknown asset', { asset: 'brent' }, 'asset'],
    ['an unknown zone', { asset: 'pun-zona-rossano' }, 'asset'],
    ['an unknown condition', { condition: 'equals' }, 'condition'],
    ['a threshold as text', { threshold: '150' }, 'threshold'],
    ['a threshold beyond reason', { threshold: 1e300 }, 'threshold'],
    ['a change of 0 %', { condition: 'change_pct', threshold: 0 }, 'threshold'],
    ['an unknown field', { webhook: 'x' }, 'webhook'],
    ['plain http', { webhook_url: 'http://hooks.example.com/' }, 'webhook_url'],
    ['another port', { webhook_url: 'https://hooks.example.com:8443/' }, 'webhook_url'],
    ['credentials', { webhook_url: 'https://me:pw@hooks.example.com/' }, 'webhook_url'],
    ['4 kB', { webhook_url: `https://hooks.example.com/${'x'.repeat(4096)}` }, 'webhook_url'],
    ['a private address', { webhook_url: 'https://10.0.0.1/' }, 'webhook_url'],
    ['a loopback address in hexadecimal', { webhook_url: 'https://0x7f.1/' }, 'webhook_url'],
    ['a mapped address', { webhook_url: 'https://[::ffff:127.0.0.1]/' }, 'webhook_url'],
    ['no address', { webhook_url: 'not an address' }, 'webhook_url'],
    ['two receivers', { email: true }, 'email'],
    ['no receiver', { webhook_url: undefined }, 'webhook_url'],
    ['mail without an address of the holder', { webhook_url: undefined, email: true }, 'email'],
    ['mail to an address of somebody', { webhook_url: undefined, email: 'bob@example.com' }, 'email'],
    ['a body of mail', { webhook_url: undefined, email: true, body: 'text' }, 'body'],
    ['an unknown language', { language: 'de' }, 'language'],
    ['a change of hours', { condition: 'change_pct', granularity: 'hour' }, 'granularity'],
    ['hours of gas', { asset: 'psv', granularity: 'hour' }, 'granularity'],
  ])('400: %s', async (_name, change, param) => {
    const answer = await post('/v1/alerts', { ...ALERT_REQUEST, ...change })
    expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid_parameter', param }])
  })

  it('400: the same message whether a name resolves to a private address, to none, or not at all', async () => {
    const answers: string[] = []
    for (const found of [[{ address: '10.0.0.7', family: 4 }], [], undefined]) {
      resolved = found
      const { status, text } = await post('/v1/alerts', ALERT_REQUEST)
      expect(status).toBe(400)
      answers.push(text)
    }
    resolved = PUBLIC
    expect(new Set(answers).size).toBe(1)
    expect(JSON.parse(answers[0] ?? '')).toMatchObject({ param: 'webhook_url' })
    expect(answers[0]).not.toContain('10.0.0.7')
  })
})

describe('PATCH /v1/alerts/{id}', () => {
  const patch = (id: unknown, body: object, as = key) =>
    sendJson(service, `/v1/alerts/${id}`, body, bearer(as), 'PATCH')

  it('200: changes only the given fields and keeps the secret', async () => {
    const { signing_secret: _, ...before } = (await post('/v1/alerts', ALERT_REQUEST)).json()
    const secret = () => service.sql`select secret from webhooks where id = ${String(before.id)}`
    const [kept] = await secret()
    const change = { threshold: 160.5, webhook_url: 'https://hooks.example.com/other', body: 'text', language: 'it' }
    const answer = await patch(before.id, change)
    expect([answer.status, answer.json()]).toEqual([200, { ...before, ...change }])
    expect((await get(`/v1/alerts/${before.id}`)).json()).toEqual(answer.json())
    expect((await secret())[0]).toEqual(kept)
  })

  it.each([
    ['a threshold as text', { threshold: '150' }, 'threshold'],
    ['a change of 0 %', { threshold: 0 }, 'threshold'],
    ['a private address', { webhook_url: 'https://10.0.0.1/' }, 'webhook_url'],
    ['another index', { asset: 'psv' }, 'asset'],
    ['two receivers', { webhook_url: ALERT_REQUEST.webhook_url, email: true }, 'email'],
    ['mail without an address of the holder', { email: true }, 'email'],
  ])('400: %s; the alert is unchanged', async (_name, change, param) => {
    const { signing_secret: _, ...before } = (
      await post('/v1/alerts', { ...ALERT_REQUEST, condition: 'change_pct' })
    ).json()
    const answer = await patch(before.id, change)
    expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid_parameter', param }])
    expect((await get(`/v1/alerts/${before.id}`)).json()).toEqual(before)
  })

  it('404: for the alert of another key', async () => {
    const { id } = (await post('/v1/alerts', ALERT_REQUEST)).json()
    expect((await patch(id, { threshold: 1 }, (await service.issueKey('API')).key)).status).toBe(404)
  })
})

describe('an alert by email', () => {
  it('is sent to the key holder, who confirms it and can unsubscribe', async () => {
    const { key: own } = await service.issueKey('API', { email: 'ada@example.com' })
    const { webhook_url: _, ...settings } = { ...ALERT_REQUEST, email: true, language: 'it' }
    const { id, signing_secret, ...created } = (await post('/v1/alerts', settings, own)).json()
    expect(created).toMatchObject({ ...settings, verification: 'pending' })
    expect([JSON.stringify(created).includes('ada@'), typeof signing_secret]).toEqual([false, 'string'])
    expect((await post(`/v1/alerts/${id}/test`, {}, own)).json()).toMatchObject({ param: 'id' })

    const confirm = await mailedLink(service)
    for (const [link, status] of [
      [confirm.replace(/signature=(.)/, (_, first) => `signature=${first === 'A' ? 'B' : 'A'}`), 404],
      [confirm.replace(/expires=\d/, 'expires=9'), 404],
      [confirm.replace('confirm', 'stop'), 404],
      [confirm, 200],
    ] as const) {
      const page = await fetch(link)
      expect([link, page.status]).toEqual([link, status])
      expect((await page.text()).includes('<button class="primary">')).toBe(status === 200)
    }
    expect((await get(`/v1/alerts/${id}`, own)).json()).toMatchObject({ verification: 'pending' })
    expect((await fetch(confirm, { method: 'POST' })).status).toBe(200)
    expect((await get(`/v1/alerts/${id}`, own)).json()).toMatchObject({ verification: 'verified' })

    expect((await post(`/v1/alerts/${id}/test`, {}, own)).status).toBe(200)
    const stop = await mailedLink(service)
    expect((await fetch(stop)).status).toBe(200)
    expect((await get(`/v1/alerts/${id}`, own)).json()).toMatchObject({ status: 'active' })
    const oneClick = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect((await fetch(stop, { method: 'POST', body: oneClick })).status).toBe(200)
    const stopped = { status: 'suspended', suspended_because: 'gone', verification: 'pending' }
    expect((await get(`/v1/alerts/${id}`, own)).json()).toMatchObject(stopped)
    expect((await post(`/v1/alerts/${id}/resume`, {}, own)).json()).toMatchObject({
      status: 'active',
      verification: 'pending',
    })
    expect(service.logText()).not.toMatch(/signature=[\w-]{10}/)
    service.setNow('2026-10-25T10:00:01Z')
    expect((await fetch(confirm)).status).toBe(404)
    service.setNow('2026-10-24T10:00:00Z')
  })
})

describe('an alert', () => {
  it('returns 404 to another key and remains available after a key rotation', async () => {
    const owner = await service.issueKey('API')
    const { id } = (await post('/v1/alerts', ALERT_REQUEST, owner.key)).json()
    for (const path of [`/v1/alerts/${id}`, `/v1/alerts/${id}/deliveries`]) expect((await get(path)).status).toBe(404)
    for (const verb of ['resume', 'test', 'rotate-secret'])
      expect((await post(`/v1/alerts/${id}/${verb}`)).status).toBe(404)
    const successor = await service.rotateKey(owner.id, '2026-10-25T10:00:00Z')
    expect((await get(`/v1/alerts/${id}`, successor.key)).status).toBe(200)
    expect((await get(`/v1/alerts`, successor.key)).json()).toMatchObject({ count: 1 })
  })

  it('is deleted with 204; a second DELETE returns 404', async () => {
    const { id } = (await post('/v1/alerts', ALERT_REQUEST)).json()
    const remove = () => service.ask(`/v1/alerts/${id}`, { method: 'DELETE', headers: bearer(key) })
    const removed = await remove()
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect((await remove()).status).toBe(404)
  })

  it('can be tested, replayed, resumed and given a new secret', async () => {
    const { id } = (await post('/v1/alerts', ALERT_REQUEST)).json()
    const tested = (await post(`/v1/alerts/${id}/test`)).json()
    expect(tested).toMatchObject({ type: 'alert.test', status: 'pending', attempts: [] })
    const replayed = (await post(`/v1/alerts/${id}/deliveries/${tested.id}/replay`)).json()
    expect(replayed).toMatchObject({ webhook_id: tested.webhook_id, status: 'pending' })
    expect((await get(`/v1/alerts/${id}/deliveries`)).json()).toMatchObject({ count: 2 })
    const rotated = (await post(`/v1/alerts/${id}/rotate-secret`)).json()
    expect(rotated).toMatchObject({ id, previous_secret_valid_until: '2026-10-25T10:00:00Z' })
    expect((await post(`/v1/alerts/${id}/resume`)).json()).toMatchObject({ status: 'active' })
  })

  it('accepts six tests or replays a minute, also under concurrent requests', async () => {
    const { id } = (await post('/v1/alerts', ALERT_REQUEST)).json()
    const other = (await post('/v1/alerts', ALERT_REQUEST)).json()
    const tests = await Promise.all(Array.from({ length: 10 }, () => post(`/v1/alerts/${id}/test`)))
    expect(tests.filter(({ status }) => status === 200)).toHaveLength(6)
    const refused = tests.find(({ status }) => status === 429)
    expect(refused?.json()).toMatchObject({ error: 'rate_limited' })
    expect(refused?.headers.get('retry-after')).toBe('60')
    const [delivery] = (await get(`/v1/alerts/${id}/deliveries`)).json().deliveries as { id: string }[]
    expect((await post(`/v1/alerts/${id}/deliveries/${delivery?.id}/replay`)).status).toBe(429)
    expect((await post(`/v1/alerts/${other.id}/test`)).status).toBe(200)
    expect((await get(`/v1/alerts/${id}/deliveries`)).json()).toMatchObject({ count: 6 })
    service.setNow('2026-10-24T10:00:59Z')
    expect((await post(`/v1/alerts/${id}/test`)).headers.get('retry-after')).toBe('1')
    service.setNow('2026-10-24T10:01:00Z')
    expect((await post(`/v1/alerts/${id}/test`)).status).toBe(200)
  })

  it('has no verification state if receiver verification is off', async () => {
    const created = (await post('/v1/alerts', ALERT_REQUEST)).json()
    expect(created).not.toHaveProperty('verification')
    expect((await get(`/v1/alerts/${created.id}/deliveries`)).json()).toMatchObject({ count: 0 })
    expect((await post(`/v1/alerts/${created.id}/verify`)).json()).toMatchObject({
      error: 'invalid_parameter',
      param: 'id',
    })
  })
})

describe('GET /v1/alerts', () => {
  it('200: lists the daily and hourly alerts that match the filters', async () => {
    const owner = await service.issueKey('API')
    const hourly = { ...ALERT_REQUEST, asset: 'pun-zona-cala', condition: 'below', threshold: 0, granularity: 'hour' }
    for (const settings of [ALERT_REQUEST, hourly]) {
      const created = (await post('/v1/alerts', settings, owner.key)).json()
      expect(created).toMatchObject(settings)
      expect('granularity' in created).toBe('granularity' in settings)
    }
    const listed = async (filter: string) => {
      const { count, alerts } = (await get(`/v1/alerts?${filter}`, owner.key)).json()
      expect(count).toBe((alerts as unknown[]).length)
      return (alerts as { asset: string }[]).map(({ asset }) => asset).sort()
    }
    expect(await listed('')).toEqual(['pun', 'pun-zona-cala'])
    expect(await listed('granularity=day')).toEqual(['pun'])
    expect(await listed('condition=below&status=active')).toEqual(['pun-zona-cala'])
    expect(await listed('asset=pun&condition=below')).toEqual([])
    expect((await get('/v1/alerts?status=gone', owner.key)).json()).toMatchObject({ param: 'status' })
  })
})
