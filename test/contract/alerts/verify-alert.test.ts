/** Alerts with verification of receivers (WEBHOOK_VERIFICATION=on), as visible to their owners. */
import { describe, expect, it } from 'vitest'
import { serviceOfFile } from '../../support/service.ts'
import { sendJson } from '../send-json.ts'

const ALERT_REQUEST = {
  asset: 'pun',
  condition: 'above',
  threshold: 150,
  webhook_url: 'https://hooks.example.com/energy',
}
const NOW = '2026-10-24T10:00:00Z'

let key: string

const service = await serviceOfFile({ now: NOW, env: { WEBHOOK_VERIFICATION: 'on', ALERTS_PER_KEY: '5' } })

const callApi = (path: string, body?: unknown, method = 'POST') =>
  sendJson(service, `/v1/alerts${path}`, body, { authorization: `Bearer ${key}` }, method)
const deliveries = async (id: string) =>
  (await callApi(`/${id}/deliveries`, undefined, 'GET')).json().deliveries as { type: string; status: string }[]
async function newAlert(): Promise<string> {
  key = (await service.issueKey('API')).key
  return String((await callApi('', ALERT_REQUEST)).json().id)
}

describe('an alert with receiver verification', () => {
  it('is created active, with a challenge queued', async () => {
    key = (await service.issueKey('API')).key
    const created = (await callApi('', ALERT_REQUEST)).json()
    expect(created).toMatchObject({ ...ALERT_REQUEST, status: 'active', verification: 'pending' })
    expect(await deliveries(String(created.id))).toMatchObject([{ type: 'webhook.verification', status: 'pending' }])
  })

  it('keeps its challenge out of deliveries and logs', async () => {
    const id = await newAlert()
    const [event] = await service.sql`select challenge from webhook_events where webhook_id = ${id}`
    expect(event?.challenge).toMatch(/^[\w-]{32}$/)
    const seen = await callApi(`/${id}/deliveries`, undefined, 'GET')
    expect(seen.text + service.logText()).not.toContain(event?.challenge)
  })

  it('cannot be tested before its receiver is verified', async () => {
    const id = await newAlert()
    const answer = await callApi(`/${id}/test`)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ param: 'id', message: expect.stringContaining('/verify') })
    await service.sql`update webhooks set verification = 'verified' where id = ${id}`
    expect((await callApi(`/${id}/test`)).status).toBe(200)
    expect((await callApi(`/${id}/verify`)).json()).toMatchObject({ param: 'id' })
  })

  it('sends a new challenge on request, at most six a minute', async () => {
    const id = await newAlert()
    expect((await callApi(`/${id}/verify`)).json()).toMatchObject({ type: 'webhook.verification', status: 'pending' })
    for (let i = 0; i < 4; i += 1) expect((await callApi(`/${id}/verify`)).status).toBe(200)
    expect((await callApi(`/${id}/verify`)).status).toBe(429)
    const challenges = await service.sql`select distinct challenge from webhook_events where webhook_id = ${id}`
    expect(challenges).toHaveLength(6)
  })

  it('needs no challenge if its owner has already verified the URL', async () => {
    const first = await newAlert()
    await service.sql`update webhooks set verification = 'verified' where id = ${first}`
    const second = (await callApi('', ALERT_REQUEST)).json()
    expect(second).toMatchObject({ verification: 'verified' })
    expect(await deliveries(String(second.id))).toEqual([])
    const other = { ...ALERT_REQUEST, webhook_url: `${ALERT_REQUEST.webhook_url}/2` }
    expect((await callApi('', other)).json()).toMatchObject({ verification: 'pending' })
  })

  it('stays pending if only another owner has verified the URL', async () => {
    const first = await newAlert()
    await service.sql`update webhooks set verification = 'verified' where id = ${first}`
    const second = await newAlert()
    expect((await callApi(`/${second}`, undefined, 'GET')).json()).toMatchObject({ verification: 'pending' })
  })

  it('returns 429 once a host has received two challenges per allowed alert in a day', async () => {
    const other = { ...ALERT_REQUEST, webhook_url: 'https://victim.example/' }
    key = (await service.issueKey('API')).key
    for (let i = 0; i < 10; i += 1) {
      const { id } = (await callApi('', other)).json()
      expect((await callApi(`/${id}`, undefined, 'DELETE')).status).toBe(204)
    }
    const refused = await callApi('', other)
    expect([refused.status, refused.json().error]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600)
    expect((await callApi('', ALERT_REQUEST)).status).toBe(200)
  })
})
