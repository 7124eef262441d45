/** Change webhooks as visible to their owners. Behaviour shared with alerts is tested there (`../alerts`). */
import type { LookupAddress } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { dailyPrice, zoneDay } from '../../support/prices.ts'
import { serviceOfFile } from '../../support/service.ts'
import { sendJson } from '../send-json.ts'

const WEBHOOK_REQUEST = { url: 'https://hooks.example.com/energy', events: ['day.published', 'day.corrected'] }
const PUBLIC = [{ address: '93.184.215.14', family: 4 }]
/** The addresses to which names resolve. */
let resolved: LookupAddress[] = PUBLIC

const service = await serviceOfFile({
  now: '2026-10-24T10:00:00Z',
  resolve: (_host, callback) => callback(null, resolved),
})
const { key } = await service.issueKey('API')

const callApi = (method: string, path: string, { as = key, body }: { as?: string; body?: unknown } = {}) =>
  sendJson(service, `/v1/webhooks${path}`, body, { authorization: `Bearer ${as}` }, method)
const newKey = async () => (await service.issueKey('API')).key

describe('POST /v1/webhooks', () => {
  it('201: creates a webhook, returns its Location and shows its secret only once', async () => {
    const settings = { ...WEBHOOK_REQUEST, datasets: ['pun', 'zones'], zones: ['nord', 'cala'] }
    const answer = await callApi('POST', '', { body: settings })
    expect(answer.status).toBe(201)
    const { signing_secret: secret, ...created } = answer.json()
    expect(created).toMatchObject({ ...settings, status: 'active', consecutive_failures: 0 })
    expect(answer.headers.get('location')).toBe(`/v1/webhooks/${created.id}`)
    expect(created.id).toMatch(/^whk_[0-9a-z]{16}$/)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect((await callApi('GET', `/${created.id}`)).json()).toEqual(created)
    expect((await callApi('GET', '')).json()).toMatchObject({ count: 1, webhooks: [created] })
    expect(JSON.stringify(await service.sql`select * from webhooks`) + service.logText()).not.toContain(secret)
  })

  it.each([
    ['no events', { events: [] }, 'events'],
    ['an unknown kind', { events: ['day.imagined'] }, 'events.0'],
    ['a kind twice', { events: ['day.published', 'day.published'] }, 'events'],
    ['an unknown dataset', { datasets: ['gold'] }, 'datasets.0'],
    ['the national price among zones', { zones: ['nazionale'] }, 'zones.0'],
    ['a field of alerts', { threshold: 3 }, 'threshold'],
    ['plain http', { url: 'http://hooks.example.com/' }, 'url'],
    ['a private address', { url: 'https://192.168.1.4/' }, 'url'],
    ['a mapped loopback address', { url: 'https://[::ffff:127.0.0.1]/' }, 'url'],
    ['the address of instance metadata', { url: 'https://169.254.169.254/latest' }, 'url'],
  ])('400: %s', async (_name, change, param) => {
    const answer = await callApi('POST', '', { body: { ...WEBHOOK_REQUEST, ...change } })
    expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid_parameter', param }])
  })

  it('400: a name that resolves to a private address, which is not disclosed', async () => {
    resolved = [{ address: '10.0.0.7', family: 4 }]
    const { status, text } = await callApi('POST', '', { body: WEBHOOK_REQUEST })
    resolved = PUBLIC
    expect([status, text.includes('10.0.0.7')]).toEqual([400, false])
  })

  it('400: more webhooks than the plan allows, also under concurrent requests', async () => {
    const as = await newKey()
    const create = () => callApi('POST', '', { as, body: WEBHOOK_REQUEST })
    const answers = await Promise.all(Array.from({ length: 8 }, create))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(answers.find(({ status }) => status === 400)?.json()).toMatchObject({ param: 'body' })
  })
})

describe('PATCH /v1/webhooks/{id}', () => {
  it('200: changes only the given fields and keeps the secret', async () => {
    const as = await newKey()
    const body = { ...WEBHOOK_REQUEST, datasets: ['pun'], zones: ['nord'] }
    const { signing_secret: _, zones: _zones, ...before } = (await callApi('POST', '', { as, body })).json()
    const secret = () => service.sql`select secret, starts_after from webhooks where id = ${String(before.id)}`
    const [kept] = await secret()
    const change = { url: 'https://hooks.example.com/new', events: ['forecast.issued'], zones: null }
    const answer = await callApi('PATCH', `/${before.id}`, { as, body: change })
    expect([answer.status, answer.json()]).toEqual([200, { ...before, url: change.url, events: change.events }])
    expect((await callApi('GET', `/${before.id}`, { as })).json()).toEqual(answer.json())
    expect((await callApi('PATCH', `/${before.id}`, { as, body: {} })).json()).toEqual(answer.json())
    expect((await secret())[0]).toEqual(kept)
  })

  it.each([
    ['no events', { events: [] }, 'events'],
    ['an unknown field', { id: 'whk_0000000000000000' }, 'id'],
    ['an inner address', { url: 'https://10.0.0.1/' }, 'url'],
    ['no address', { url: null }, 'url'],
  ])('400: %s; the webhook is unchanged', async (_name, change, param) => {
    const as = await newKey()
    const { id } = (await callApi('POST', '', { as, body: WEBHOOK_REQUEST })).json()
    const answer = await callApi('PATCH', `/${id}`, { as, body: { events: ['source.late'], ...change } })
    expect([answer.status, answer.json()]).toMatchObject([400, { error: 'invalid_parameter', param }])
    expect((await callApi('GET', `/${id}`, { as })).json()).toMatchObject(WEBHOOK_REQUEST)
  })
})

describe('a webhook', () => {
  it('is not listed as an alert, and returns 404 to another key', async () => {
    const { id } = (await callApi('POST', '', { body: WEBHOOK_REQUEST })).json()
    const headers = { Authorization: `Bearer ${key}` }
    expect((await service.ask(`/v1/alerts/${id}`, { headers })).status).toBe(404)
    expect((await service.ask('/v1/alerts', { headers })).json()).toMatchObject({ count: 0 })
    const as = await newKey()
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['GET', '/deliveries'],
      ['POST', '/test'],
      ['POST', '/resume'],
      ['POST', '/rotate-secret'],
      ['DELETE', ''],
    ] as const)
      expect((await callApi(method, `/${id}${path}`, { as })).status, method + path).toBe(404)
    expect((await callApi('GET', `/${id}`)).status).toBe(200)
  })

  it('can be tested with its latest matching change, replayed, rotated and deleted', async () => {
    const as = await newKey()
    const { id } = (await callApi('POST', '', { as, body: { ...WEBHOOK_REQUEST, datasets: ['psv'] } })).json()
    await service.seed([dailyPrice('PSV', '2026-10-24', 30)], { source: 'gme-mgas' })
    await service.seed([zoneDay('nazionale', '2026-10-25', 60, () => 100)])
    const tested = (await callApi('POST', `/${id}/test`, { as })).json()
    expect(tested).toMatchObject({ type: 'webhook.test', date: '2026-10-24', status: 'pending' })
    const replayed = (await callApi('POST', `/${id}/deliveries/${tested.id}/replay`, { as })).json()
    expect(replayed).toMatchObject({ webhook_id: tested.webhook_id, type: 'webhook.test' })
    expect((await callApi('GET', `/${id}/deliveries`, { as })).json()).toMatchObject({ count: 2 })
    expect((await callApi('POST', `/${id}/rotate-secret`, { as })).json()).toMatchObject({ id })
    for (let i = 0; i < 4; i++) await callApi('POST', `/${id}/test`, { as })
    expect((await callApi('POST', `/${id}/test`, { as })).status).toBe(429)
    expect((await callApi('DELETE', `/${id}`, { as })).status).toBe(204)
    expect((await callApi('GET', `/${id}`, { as })).status).toBe(404)
  })
})
