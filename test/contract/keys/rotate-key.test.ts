import { describe, expect, it } from 'vitest'
import { serviceOfFile } from '../../support/service.ts'

const NOW = '2026-11-21T10:00:00Z'

const service = await serviceOfFile({ now: NOW })

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

const post = (path: string, key: string, body: object) =>
  service.ask(path, {
    method: 'POST',
    headers: { ...bearer(key), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const rotate = (key: string, body = {}) => post('/v1/keys/rotate', key, body)
const usage = (key: string) => service.ask('/v1/usage', { headers: bearer(key) })
const statusOf = async (key: string) => (await usage(key)).status

describe('POST /v1/keys/rotate', () => {
  it('200 has a new key of the same plan, limits and use; the old one works during the overlap', async () => {
    const about = { requestsPerMinute: 77, requestsPerMonth: 5_000, attribution: 'Ours', email: 'a@energy.example' }
    const old = await service.issueKey('Enterprise', about)
    for (const _ of [1, 2, 3]) await statusOf(old.key)
    const answer = await rotate(old.key, { overlap_hours: 24 })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const rotated = answer.json() as { id: string; key: string }
    expect(rotated).toEqual({
      ...{ id: expect.stringMatching(/^key_/), key: expect.stringMatching(/^svc_live_\w{32}$/), plan: 'Enterprise' },
      ...{ previous_id: old.id, previous_valid_until: '2026-11-22T10:00:00Z' },
    })
    const [row] = await service.sql`
      select owner, email, requests_per_minute, requests_per_month, attribution, rotated_from from api_keys where id = ${rotated.id}`
    expect(row).toEqual({
      ...{ owner: 'a test', email: 'a@energy.example', requests_per_minute: 77, requests_per_month: 5000 },
      ...{ attribution: 'Ours', rotated_from: old.id },
    })
    expect(await statusOf(rotated.key)).toBe(200)
    expect(await statusOf(old.key)).toBe(200)
    const used = async (key: string) => (await usage(key)).json().used
    expect([await used(rotated.key), await used(old.key), await used(rotated.key)]).toEqual([6, 7, 8])
    service.setNow('2026-11-22T10:00:01Z')
    expect(await statusOf(old.key)).toBe(401)
    expect(await statusOf(rotated.key)).toBe(200)
    service.setNow(NOW)
    expect(service.logText()).not.toContain(rotated.key)
    expect(service.logText()).toContain('key_rotated')
  })

  it('200 keeps the alerts of the holder', async () => {
    const old = await service.issueKey('API')
    const alert = { asset: 'pun', condition: 'above', threshold: 1, webhook_url: 'https://hooks.example.com/' }
    const created = await post('/v1/alerts', old.key, alert)
    const { key } = (await rotate(old.key)).json() as { key: string }
    const { alerts } = (await service.ask('/v1/alerts', { headers: bearer(key) })).json()
    expect(alerts).toMatchObject([{ id: created.json().id }])
  })

  it('200 expires the old key at once without an overlap, after a week by default', async () => {
    const at = await rotate((await service.issueKey('Developer')).key)
    expect(at.json().previous_valid_until).toBe('2026-11-28T10:00:00Z')
    const old = await service.issueKey('Developer')
    expect((await rotate(old.key, { overlap_hours: 0 })).json().previous_valid_until).toBe(NOW)
    const [row] = await service.sql`select expires_at from api_keys where id = ${old.id}`
    expect(row?.expires_at).toEqual(Temporal.Instant.from(NOW))
  })

  it('401 for a key already rotated, also under concurrent requests', async () => {
    const old = await service.issueKey('Developer')
    const answers = await Promise.all([rotate(old.key), rotate(old.key), rotate(old.key)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    const again = await rotate(old.key)
    expect(again.json()).toMatchObject({ error: 'invalid_key', message: expect.stringContaining('successor') })
    expect(await service.sql`select from api_keys where rotated_from = ${old.id}`).toHaveLength(1)
  })

  it.each([
    [{ overlap_hours: 721 }, 'overlap_hours'],
    [{ overlap_hours: -1 }, 'overlap_hours'],
    [{ overlap_hours: '24' }, 'overlap_hours'],
    [{ plan: 'Enterprise' }, 'plan'],
  ])('400 for %j', async (body, param) => {
    const { key } = await service.issueKey('Developer')
    expect((await rotate(key, body)).json()).toMatchObject({ error: 'invalid_parameter', param })
  })
})
