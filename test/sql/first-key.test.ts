/** The key of a first local start: when it may be shown, and that it is stored like any other. */
import { describe, expect, it } from 'vitest'
import { hashApiKey } from '../../src/api/access/api-key.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { isLocalStart, issueFirstKey } from '../../src/service/first-key.ts'
import { greeting } from '../../src/service/greeting.ts'
import { serviceOfFile } from '../support/service.ts'

const service = await serviceOfFile({ now: '2026-11-20T10:00:00Z' })

it.each([
  [{}, true, true],
  [{ HOST: 'localhost' }, true, true],
  [{}, false, false],
  [{ LOG_FORMAT: 'text' }, false, false],
  [{ HOST: '0.0.0.0' }, true, false],
  [{ HOST: '192.0.2.7' }, true, false],
  [{ NODE_ENV: 'production' }, true, false],
  [{ BASE_URL: 'https://energy.example' }, true, false],
  [{ DATABASE_URL: 'postgres://db.example/energy' }, true, false],
])('detection of a local start: %o, in a terminal %s: %s', (env, isTerminal, expected) => {
  expect(isLocalStart(readConfig(env), isTerminal)).toBe(expected)
})

describe('the first key', () => {
  it('is a Trading key that works, is stored as a hash, and is issued once', async () => {
    const key = (await issueFirstKey(service.ctx)) ?? ''
    const rows = await service.sql`select * from api_keys`
    expect(rows).toMatchObject([{ sha256: hashApiKey(key), plan: 'Trading' }])
    expect(JSON.stringify(rows)).not.toContain(key)
    const answer = await service.ask('/v1/usage', { headers: { authorization: `Bearer ${key}` } })
    expect(answer.json()).toMatchObject({ plan: 'Trading' })
    expect(await issueFirstKey(service.ctx)).toBeUndefined()
  })

  it('appears in the start-up message only if one was issued', () => {
    const url = new URL('http://127.0.0.1:3000/')
    expect(greeting(url, false)).not.toMatch(/key/i)
    expect(greeting(url, false, 'svc_live_x')).toContain("curl -H 'Authorization: Bearer svc_live_x'")
  })
})
