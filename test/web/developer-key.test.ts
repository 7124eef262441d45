/** The pages that issue a Developer key, without a browser. The mail in between is read from the outbox. */
import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { confirmationText } from '../../src/delivery/mail/send-due-emails.ts'
import { claimDueEmails } from '../../src/store/emails.ts'
import { serviceOfFile, startTestService } from '../support/service.ts'

const NOW = Temporal.Instant.from('2026-11-21T12:00:00Z')

const service = await serviceOfFile({ now: NOW.toString() })
beforeEach(async () => {
  await service.sql`truncate key_requests, emails`
})

async function open(path: string, init: RequestInit = {}) {
  const response = await fetch(service.baseUrl + path, { redirect: 'manual', ...init })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

const send = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  open(path, { method: 'POST', body: new URLSearchParams(fields), headers })

/** A new mailbox for each test: the number of mails per address and day is limited. */
const newAddress = () => `reader-${randomBytes(4).toString('hex')}@example.com`

/** Mail that the job would send, as text. */
async function mails(): Promise<string[]> {
  const due = await claimDueEmails(service.sql, { now: NOW, until: NOW.add({ minutes: 5 }), maxCount: 10 })
  return Promise.all(
    due.map(async (mail) => (await confirmationText(mail, { sql: service.sql, clock: { now: () => NOW } })) ?? 'over'),
  )
}

async function mailedToken(address: string): Promise<string> {
  await send('/developer-key', { email: address })
  const [text = ''] = await mails()
  return /token=(\S+)/.exec(text)?.[1] ?? 'no token'
}

describe('the form for a Developer key', () => {
  it('shows the limits of the plan, in both languages', async () => {
    const english = await open('/en/developer-key')
    expect(english.html).toContain('<strong>120</strong> requests a minute')
    expect(english.html).toContain('<strong>10,000</strong> requests a month')
    expect((await open('/it/developer-key')).html).toContain('<strong>10.000</strong> richieste al mese')
  })

  it('e-mails a confirmation link, and redirects to the same page for every address', async () => {
    const address = newAddress()
    const first = await send('/it/developer-key', { email: address })
    expect([first.status, first.headers.get('location')]).toEqual([303, '/it/developer-key/sent'])
    const [text] = await mails()
    expect(text).toContain(`${service.baseUrl}/it/developer-key/confirm?token=svc_confirm_`)
    expect((await open('/en/developer-key/sent')).html).toContain('If the address can receive mail')
  })

  it.each([
    ['no address', 'nobody'],
    ['markup', '"><script>alert(1)</script>'],
    ['nothing', ''],
  ])('returns 400 with an error at the field for %s, and sends no e-mail', async (_name, text) => {
    const { status, html } = await send('/en/developer-key', { email: text })
    expect(status).toBe(400)
    expect(html).toContain('aria-invalid="true"')
    expect(html).toMatch(/<p class="problem" id="problem">Please enter an e-mail address/)
    expect(html).not.toContain('<script>alert')
    expect(await mails()).toEqual([])
  })

  it.each([
    ['another site by the browser’s word', { 'sec-fetch-site': 'cross-site' }],
    ['a sister site', { 'sec-fetch-site': 'same-site' }],
    ['another site by its origin', { origin: 'https://evil.example' }],
    ['a page that hides its origin', { origin: 'null' }],
  ])('returns 400 for a request from %s, and sends no e-mail', async (_name, headers) => {
    const { status } = await send('/developer-key', { email: newAddress() }, headers)
    expect(status).toBe(400)
    expect(await mails()).toEqual([])
  })

  it.each([{ 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, {}])(
    'returns 303 with the headers %j',
    async (headers) => {
      expect((await send('/developer-key', { email: newAddress() }, headers as Record<string, string>)).status).toBe(
        303,
      )
    },
  )

  it.each<[string, RequestInit]>([
    ['a field it does not have', { body: new URLSearchParams({ email: 'a@example.com', plan: 'Enterprise' }) }],
    ['a field twice', { body: new URLSearchParams('email=a@example.com&email=b@example.com') }],
    ['JSON', { body: '{"email":"a@example.com"}', headers: { 'content-type': 'application/json' } }],
    ['five kilobytes', { body: new URLSearchParams({ email: 'a'.repeat(5_000) }) }],
  ])('returns 400 for %s, and sends no e-mail', async (_name, init) => {
    expect((await open('/developer-key', { method: 'POST', ...init })).status).toBe(400)
    expect(await mails()).toEqual([])
  })

  it('returns 405 with Allow for any other method', async () => {
    const { status, headers } = await open('/developer-key', { method: 'DELETE' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })
})

describe('the confirmation link', () => {
  it('can be opened repeatedly, but issues a key only once', async () => {
    const token = await mailedToken(newAddress())
    for (let i = 0; i < 3; i++) {
      const { status, html } = await open(`/en/developer-key/confirm?token=${token}`)
      expect(status).toBe(200)
      expect(html).toContain(`<input type="hidden" name="token" value="${token}">`)
      expect(html).not.toContain('svc_live_')
    }
    const { status, headers, html } = await send('/en/developer-key/confirm', { token })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    const key = /svc_live_[0-9A-Za-z]{32}/.exec(html)?.[0]
    const zones = await fetch(`${service.baseUrl}/v1/usage`, { headers: { authorization: `Bearer ${key}` } })
    expect(await zones.json()).toMatchObject({ plan: 'Developer' })

    const again = await send('/en/developer-key/confirm', { token })
    expect(again.status).toBe(404)
    expect(again.html).not.toContain('svc_live_')
    expect((await open(`/en/developer-key/confirm?token=${token}`)).status).toBe(404)
  })

  it.each(['', '?token=', '?token=svc_confirm_x', `?token=svc_confirm_${'A'.repeat(43)}`])(
    'is no longer valid with %j',
    async (query) => {
      const { status, html } = await open(`/en/developer-key/confirm${query}`)
      expect(status).toBe(query === '?token=' ? 400 : 404)
      expect(html).toMatch(query === '?token=' ? /must not be empty/ : /no longer valid/)
    },
  )

  it('leaves neither token nor key nor address in the log', async () => {
    const address = newAddress()
    const token = await mailedToken(address)
    await open(`/developer-key/confirm?token=${token}`)
    const { html } = await send('/developer-key/confirm', { token })
    const key = /svc_live_[0-9A-Za-z]{32}/.exec(html)?.[0] ?? 'no key'
    const log = service.logText()
    expect(log).toContain('/developer-key/confirm?token=[redacted]')
    expect(log).toContain('"event":"developer_key_issued"')
    for (const secret of [token, key, address]) expect(log).not.toContain(secret)
  })
})

describe('a network address', () => {
  it('gets 429 with Retry-After at its eleventh request in a day', async () => {
    const own = await startTestService({ now: NOW.toString() })
    const post = (n: number) =>
      fetch(`${own.baseUrl}/en/developer-key`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ email: `reader${n}@example.com` }),
      })
    for (let n = 0; n < 10; n++) expect((await post(n)).status).toBe(303)
    const refused = await post(10)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
    expect(await refused.text()).toContain('Too many requests')
    await own.stop()
  })
})

it('the pages say that no keys are issued if no mail server is configured', async () => {
  const own = await startTestService({ now: NOW.toString(), env: { SMTP_URL: '', MAIL_FROM: '' } })
  const pages = { '/en/developer-key': 200, '/en/developer-key/sent': 404, '/en/developer-key/confirm?token=x': 404 }
  for (const [path, status] of Object.entries(pages)) {
    const response = await fetch(own.baseUrl + path)
    expect(response.status).toBe(status)
    expect(await response.text()).toContain('This service sends no mail')
  }
  expect((await fetch(`${own.baseUrl}/developer-key`, { method: 'POST' })).status).toBe(404)
  await own.stop()
})
