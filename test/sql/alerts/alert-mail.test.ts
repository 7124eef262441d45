/** Alerts that are sent by mail, through a real mail server. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { smtpMailer } from '../../../src/delivery/mail/mailer.ts'
import { Secret } from '../../../src/platform/secret.ts'
import { nextDueAt } from '../../../src/store/webhook-deliveries.ts'
import { listDeliveries } from '../../../src/store/webhook-events.ts'
import { markReceiverVerified, waiveVerification } from '../../../src/store/webhooks.ts'
import {
  createAlert,
  issueKeyFor,
  newSecretBox,
  storeCrossing,
  testAlertService,
  testWebhookClient,
} from '../../support/alerts.ts'
import { databaseOfFile } from '../../support/database.ts'
import { deliverAt } from '../../support/deliveries.ts'
import { startMailServer } from '../../support/mail-server.ts'

const START = Temporal.Instant.from('2026-11-21T12:00:00Z')
const EMAIL = 'ada@example.com'
const secrets = newSecretBox()

let now = START
const { sql } = (await databaseOfFile()).database
const client = testWebhookClient({ ports: [], now: () => now })
const alerts = testAlertService({ sql, clock: { now: () => now }, secrets, ports: [] })
const owner = await issueKeyFor(sql, { email: EMAIL })
const server = await startMailServer()
const mailer = smtpMailer({ smtp: new Secret(server.url), from: 'prices@energy.example' })
afterAll(async () => {
  mailer[Symbol.dispose]()
  await server[Symbol.asyncDispose]()
  await client[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await sql`delete from webhooks`
  now = START
  server.received.length = 0
  server.isMailboxFull = false
})

const fire = (alertId: string, day?: string) => storeCrossing(sql, alertId, now, day)
const daysOfDecember = Array.from({ length: 31 }, (_, i) =>
  Temporal.PlainDate.from('2026-12-01').add({ days: i }).toString(),
)
const deliverMail = async (at = now) => {
  now = at
  return (await deliverAt({ sql, client, secrets, now: at, mailer })).map(({ effect }) => effect)
}
const confirmed = async () => {
  const { id } = await createAlert(alerts, owner, { email: EMAIL })
  await deliverMail()
  await markReceiverVerified(sql, id, now)
  server.received.length = 0
  return id
}

describe('an alert by mail', () => {
  it('asks the key holder for confirmation and sends nothing else before it', async () => {
    const { id } = await createAlert(alerts, owner, { email: EMAIL })
    await fire(id)
    expect(await deliverMail()).toEqual(['delivered'])
    expect(server.received).toMatchObject([{ to: [EMAIL], subject: expect.stringContaining('Confirm') }])
    expect(await alerts.find(owner, id)).toMatchObject({ verification: 'pending' })
    await markReceiverVerified(sql, id, now)
    expect(await deliverMail()).toEqual(['delivered'])
    expect(server.received[1]?.text).toContain('152.35')
    expect(server.received[1]?.text).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=3?D?One-Click/m)
    const again = await createAlert(alerts, owner, { email: EMAIL })
    expect(await alerts.find(owner, again.id)).toMatchObject({ verification: 'verified' })
    await waiveVerification(sql) // as on a start with verification off
    const stranger = await issueKeyFor(sql, { email: EMAIL })
    const other = await createAlert(alerts, stranger, { email: EMAIL })
    await waiveVerification(sql)
    expect(await alerts.find(stranger, other.id)).toMatchObject({ verification: 'pending' })
  })

  it('is retried, and suspended after 20 failures in a row', async () => {
    const id = await confirmed()
    server.isMailboxFull = true
    const all: string[] = []
    for (const day of daysOfDecember) {
      if (all.at(-1) === 'suspended') break
      await fire(id, day)
      for (let at = await nextDueAt(sql); at !== undefined; at = await nextDueAt(sql))
        all.push(...(await deliverMail(at)))
    }
    expect(all).toHaveLength(20)
    expect(await alerts.find(owner, id)).toMatchObject({ status: 'suspended', suspendedBecause: 'failures' })
    const [delivery] = await listDeliveries(sql, id, 1)
    const failure = { outcome: 'connection_failed', detail: 'the mail server did not take it' }
    expect(delivery?.attempts.at(-1)).toMatchObject(failure)
  })

  it('is sent over three connections, claimed only when one is free, and cancelled if it is not accepted in time', async () => {
    const id = await confirmed()
    const { promise, resolve } = Promise.withResolvers<void>()
    server.answering = promise
    for (const day of daysOfDecember.slice(0, 4)) await fire(id, day)
    const first = deliverMail()
    await expect.poll(() => server.received.length).toBe(3)
    const [claimed] =
      await sql`select count(*)::integer as count from webhook_deliveries where claimed_until is not null`
    expect(claimed).toEqual({ count: 3 })
    expect(await deliverAt({ sql, client, secrets, now, mailer, mailDeadlineMs: 1 })).toMatchObject([
      { effect: 'failed' },
    ])
    resolve()
    expect(await first).toEqual(Array(3).fill('delivered'))
    expect(await deliverMail(now.add({ minutes: 2 }))).toEqual(['delivered'])
    expect(server.received).toHaveLength(4)
  })

  it('is refused without a mail server, without an address, or after ten confirmation requests', async () => {
    const ask = (of: string, email: string | null, service = alerts) =>
      service.create(of, {
        settings: { asset: 'pun', condition: 'above', threshold: 1, granularity: 'day', body: 'json', language: 'en' },
        receiving: { email },
        most: 100,
      })
    const noMail = testAlertService({ sql, clock: { now: () => now }, secrets, ports: [], mail: false })
    expect(await ask(owner, EMAIL, noMail)).toMatchObject({ refused: 'receiver', field: 'email' })
    expect(await ask(await issueKeyFor(sql), null)).toMatchObject({ refused: 'receiver', field: 'email' })
    const email = 'bob@example.com'
    const another = await issueKeyFor(sql, { email })
    const answers = []
    for (let n = 0; n < 11; n += 1) answers.push(await ask(another, email))
    expect(answers.map((answer) => 'refused' in answer)).toEqual([...Array(10).fill(false), true])
  })
})
