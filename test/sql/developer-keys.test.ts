/** Developer keys by self-service, from the request to the key, with the mail actually sent. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { maintainDatabase } from '../../jobs/maintain-database.ts'
import { sendMail } from '../../jobs/send-mail.ts'
import { hashApiKey } from '../../src/api/access/api-key.ts'
import { MemoryCounter } from '../../src/api/access/memory-counter.ts'
import { DAY_SECONDS, rateLimiter } from '../../src/api/access/rate-limiter.ts'
import { type DeveloperKeyService, developerKeyService } from '../../src/api/keys/developer-key-service.ts'
import { readConfig } from '../../src/service/config/config.ts'
import type { Context } from '../../src/service/context.ts'
import type { ApiKeyRecord } from '../../src/store/api-keys.ts'
import { findApiKeyByHash, listApiKeys, revokeApiKey } from '../../src/store/api-keys.ts'
import { databaseOfFile } from '../support/database.ts'
import { startMailServer } from '../support/mail-server.ts'

const START = Temporal.Instant.from('2026-11-21T12:00:00Z')
const TOKEN = /\/developer-key\/confirm\?token=(svc_confirm_[\w-]+)/

let developerKeys: DeveloperKeyService
let now = START
const clock = { now: () => now }
const db = await databaseOfFile()
const { sql } = db.database
const mail = await startMailServer()
afterAll(() => mail?.[Symbol.asyncDispose]())
beforeEach(async () => {
  await sql`truncate api_keys, key_requests, emails cascade`
  mail.received = []
  mail.isMailboxFull = false
  now = START
  developerKeys = developerKeyService({
    sql,
    clock,
    days: rateLimiter(new MemoryCounter(DAY_SECONDS), DAY_SECONDS),
    baseUrl: new URL('https://energy.example'),
    wake: async () => {},
  })
})

const contextOfJobs = () => {
  const config = readConfig({ SMTP_URL: mail.url, MAIL_FROM: 'energy@energy.example' })
  return { config, database: db.database, clock } as Context
}
const runNow = (job: typeof sendMail | typeof maintainDatabase) =>
  job.run({ payload: {}, ctx: contextOfJobs(), signal: new AbortController().signal })
const runMail = () => runNow(sendMail)

const latestToken = () => TOKEN.exec(mail.received.at(-1)?.text ?? '')?.[1] ?? 'no mail'

async function tokenFor(address: string): Promise<string> {
  await developerKeys.request(address, '192.0.2.1', 'en')
  await runMail()
  return latestToken()
}

async function keyFor(address: string): Promise<{ key: string; record: ApiKeyRecord; outcome: string }> {
  const confirmed = await developerKeys.confirm(await tokenFor(address), '192.0.2.1')
  if (!('key' in confirmed)) throw new Error(`not confirmed: ${confirmed.outcome}`)
  const record = await findApiKeyByHash(sql, hashApiKey(confirmed.key))
  if (record === undefined) throw new Error('the key is not stored')
  return { ...confirmed, record }
}

describe('a self-service Developer key', () => {
  it('is issued to the confirmed address and increments the key version', async () => {
    const [before] = await sql`select version from key_version`
    const { record, outcome } = await keyFor('ada@example.com')
    expect(outcome).toBe('issued')
    expect(record).toMatchObject({ plan: 'Developer', email: 'ada@example.com', revokedAt: null, expiresAt: null })
    const [after] = await sql`select version from key_version`
    expect(after?.version).toBeGreaterThan(before?.version)
  })

  it('leaves neither the token nor the key in plain text in the database', async () => {
    const token = await tokenFor('ada@example.com')
    const confirmed = await developerKeys.confirm(token, '192.0.2.1')
    const rows = [await sql`select * from emails`, await sql`select * from key_requests`, await listApiKeys(sql)]
    const stored = JSON.stringify(rows)
    expect(stored).toContain('ada@example.com')
    expect(stored).not.toContain(token)
    expect(stored).not.toContain('key' in confirmed ? confirmed.key : 'none')
  })

  it('requires a token that was sent, is unused and less than a day old', async () => {
    const token = await tokenFor('ada@example.com')
    expect(await developerKeys.isTokenValid(token)).toBe(true)
    expect(await developerKeys.isTokenValid(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toBe(false)
    expect(await developerKeys.isTokenValid('')).toBe(false)
    expect((await developerKeys.confirm(token, '192.0.2.1')).outcome).toBe('issued')
    expect(await developerKeys.isTokenValid(token)).toBe(false)
    expect(await developerKeys.confirm(token, '192.0.2.1')).toEqual({ outcome: 'not_good' })

    const late = await tokenFor('late@example.com')
    now = START.add({ hours: 24 })
    expect(await developerKeys.isTokenValid(late)).toBe(false)
    expect(await developerKeys.confirm(late, '192.0.2.1')).toEqual({ outcome: 'not_good' })
    expect(await listApiKeys(sql)).toHaveLength(1)
  })

  it('is issued once if a link is confirmed several times concurrently', async () => {
    const token = await tokenFor('ada@example.com')
    const outcomes = await Promise.all([1, 2, 3].map(() => developerKeys.confirm(token, '192.0.2.1')))
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['issued', 'not_good', 'not_good'])
    expect(await listApiKeys(sql)).toHaveLength(1)
  })

  it('replaces the previous key of the same mailbox, however spelt, and continues its chain', async () => {
    const first = await keyFor('Ada.L+one@Gmail.com')
    const second = await keyFor('adal@googlemail.com')
    expect(second.outcome).toBe('replaced')
    expect(second.record.rotatedFrom).toBe(first.record.id)
    expect((await findApiKeyByHash(sql, hashApiKey(first.key)))?.revokedAt).toEqual(now)
    expect((await findApiKeyByHash(sql, hashApiKey(second.key)))?.root).toBe(first.record.id)

    const third = await keyFor('adal@gmail.com')
    expect(third.record.rotatedFrom).toBe(second.record.id)
    const valid = (await listApiKeys(sql)).filter(({ revokedAt }) => revokedAt === null)
    expect(valid.map(({ id }) => id)).toEqual([third.record.id])
  })

  it('can be requested again after the operator revoked a leaked one', async () => {
    const { record } = await keyFor('ada@example.com')
    await revokeApiKey(sql, record.id, now)
    now = START.add({ minutes: 1 })
    const again = await keyFor('ada@example.com')
    expect(again.record.revokedAt).toBeNull()
    expect((await listApiKeys(sql)).find(({ id }) => id === record.id)?.revokedAt).toEqual(START)
  })

  it('is not replaced by a key for another address', async () => {
    const [ada, bob] = [await keyFor('ada@example.com'), await keyFor('bob@example.com')]
    expect([ada.outcome, bob.outcome]).toEqual(['issued', 'issued'])
    expect(ada.record.revokedAt).toBeNull()
  })
})

describe('a request for a Developer key', () => {
  it('gets the same response and mail whether or not the address has a key', async () => {
    await keyFor('ada@example.com')
    mail.received = []
    for (const address of ['ada@example.com', 'bob@example.com'])
      expect(await developerKeys.request(address, '192.0.2.2', 'en')).toEqual({ outcome: 'accepted' })
    await runMail()
    const texts = mail.received.map(({ text }) => text.slice(text.indexOf('Somebody')).replace(TOKEN, ''))
    expect(texts).toHaveLength(2)
    expect(texts[0]).toBe(texts[1])
  })

  it('sends at most three mails a day to an address, with the same response after that', async () => {
    for (let i = 0; i < 4; i++) {
      expect(await developerKeys.request(`ada+${i}@example.com`, `192.0.2.${i}`, 'en')).toEqual({ outcome: 'accepted' })
    }
    await runMail()
    expect(mail.received).toHaveLength(3)
  })

  it('is refused after ten from the same IP address, whichever mail addresses they name', async () => {
    for (let i = 0; i < 10; i++) await developerKeys.request(`a${i}@example.com`, '192.0.2.9', 'en')
    expect(await developerKeys.request('b@example.com', '192.0.2.9', 'en')).toEqual({
      outcome: 'too_many',
      retryAfterSeconds: expect.toSatisfy((seconds) => seconds > 0 && seconds <= DAY_SECONDS),
    })
    expect(await developerKeys.request('b@example.com', '192.0.2.10', 'en')).toEqual({ outcome: 'accepted' })
  })

  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'a b@example.com',
    'ada@example.com\r\nBcc: x@example.com',
  ])('is refused for the invalid address %j', async (text) => {
    expect(await developerKeys.request(text, '192.0.2.1', 'en')).toEqual({ outcome: 'no_address' })
  })

  it('sends a token created when the mail is sent, even after a delay', async () => {
    mail.isMailboxFull = true
    await developerKeys.request('ada@example.com', '192.0.2.1', 'en')
    await runMail()
    mail.isMailboxFull = false
    now = START.add({ hours: 5 })
    await runMail()
    const token = latestToken()
    now = START.add({ hours: 28, minutes: 59 })
    expect(await developerKeys.isTokenValid(token)).toBe(true)
  })

  it('sends its mail in the language of the page', async () => {
    await developerKeys.request('ada@example.com', '192.0.2.1', 'it')
    await runMail()
    expect(mail.received[0]?.text).toContain('https://energy.example/it/developer-key/confirm?token=')
    expect(mail.received[0]?.text).toContain('senza la tua conferma non accade nulla')
  })

  it('becomes invalid once another request of the same holder is confirmed', async () => {
    const first = await tokenFor('ada@example.com')
    const second = await tokenFor('ada+2@example.com')
    expect((await developerKeys.confirm(second, '192.0.2.1')).outcome).toBe('issued')
    expect((await developerKeys.confirm(first, '192.0.2.1')).outcome).toBe('not_good')
  })

  it('is deleted with its mail once it has expired', async () => {
    await keyFor('ada@example.com')
    await tokenFor('open@example.com')
    const left = async () => [...(await sql`select recipient from emails order by 1`)].map(({ recipient }) => recipient)
    now = START.add({ hours: 1 })
    await runNow(maintainDatabase)
    expect(await left()).toEqual(['open@example.com'])
    now = START.add({ hours: 25 })
    await runNow(maintainDatabase)
    expect(await left()).toEqual([])
    expect([...(await sql`select from key_requests`)]).toEqual([])
  })
})
