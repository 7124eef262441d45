/** Verification of receivers: what is sent before a receiver is verified, and afterwards. */
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { svcSignature } from '../../../src/delivery/webhooks/webhook-signature.ts'
import { refreshAggregates } from '../../../src/store/aggregates.ts'
import { readBacklogs } from '../../../src/store/operations.ts'
import { nextDueAt } from '../../../src/store/webhook-deliveries.ts'
import { listDeliveries } from '../../../src/store/webhook-events.ts'
import { waiveVerification } from '../../../src/store/webhooks.ts'
import {
  createAlert,
  detectCrossingsAt,
  issueKeyFor,
  newSecretBox,
  testAlertService,
  testWebhookClient,
} from '../../support/alerts.ts'
import { databaseOfFile } from '../../support/database.ts'
import { deliverAt } from '../../support/deliveries.ts'
import { storePrices, zoneDay } from '../../support/prices.ts'
import { type Reaction, respondWith, startWebhookReceiver } from '../../support/webhook-receiver.ts'

const secrets = newSecretBox()
/** Answers the challenge, as a willing receiver does. */
const echoChallenge: Reaction = (_req, res, { body }) => {
  const { challenge } = JSON.parse(body)
  res.writeHead(200).end(challenge === undefined ? '' : JSON.stringify({ challenge }))
}

let now = Temporal.Instant.from('2026-10-24T11:00:00Z')
const { sql } = (await databaseOfFile()).database
const receiver = await startWebhookReceiver()
const ports = [receiver.port]
const client = testWebhookClient({ ports, now: () => now })
const alerts = testAlertService({ sql, clock: { now: () => now }, secrets, ports, verification: true })
const key = await issueKeyFor(sql)
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await sql`delete from webhooks`
  receiver.calls.length = 0
  receiver.setReaction(respondWith(204))
})

const newAlert = (path = '') =>
  createAlert(alerts, key, { webhookUrl: `https://receiver.test:${receiver.port}/${path}`, threshold: 100 })
const deliver = async (at: string) => {
  now = Temporal.Instant.from(at)
  return (await deliverAt({ sql, client, secrets, now })).map(({ effect }) => effect)
}
/** Publishes a day of the PUN at that instant. */
async function publish(day: string, at: string): Promise<void> {
  now = Temporal.Instant.from(at)
  await storePrices(sql, [zoneDay('nazionale', day, 60, () => 120)], { at: now })
  await refreshAggregates(sql)
  await detectCrossingsAt(sql, now)
}
const verificationOf = async (id: string) => (await alerts.find(key, id))?.verification
const typesSent = () => receiver.calls.map(({ body }) => JSON.parse(body).type)

describe('a receiver', () => {
  it('is sent a signed challenge first, and is verified when it echoes it', async () => {
    receiver.setReaction(echoChallenge)
    const { id, secret } = await newAlert()
    expect(await verificationOf(id)).toBe('pending')
    now = Temporal.Now.instant() // the published verifier uses the machine's clock
    await sql`update webhook_deliveries set next_attempt_at = ${now.toString()}::timestamptz, give_up_at = ${now.add({ hours: 1 }).toString()}::timestamptz`
    expect(await deliver(now.toString())).toEqual(['delivered'])
    const [{ headers, body }] = receiver.calls as [(typeof receiver.calls)[0]]
    const challenge = expect.stringMatching(/^[\w-]{32}$/)
    expect(JSON.parse(body)).toEqual({ type: 'webhook.verification', alert_id: id, challenge })
    expect(headers['x-svc-signature']).toBe(svcSignature(secret, body))
    new Webhook(secret).verify(body, headers)
    expect(await verificationOf(id)).toBe('verified')
  })

  it('is not verified by a 2xx alone, and is sent six challenges within a day and nothing else', async () => {
    now = Temporal.Instant.from('2026-03-20T11:00:00Z')
    const { id } = await newAlert()
    for (;;) {
      await deliver(now.toString())
      const next = await nextDueAt(sql)
      if (next === undefined) break
      now = next
    }
    expect(typesSent()).toEqual(Array(6).fill('webhook.verification'))
    const [delivery] = await listDeliveries(sql, id, 10)
    expect(delivery?.attempts.map(({ outcome }) => outcome)).toEqual(Array(6).fill('not_echoed'))
    const unverified = { status: 'active', verification: 'pending', consecutiveFailures: 0 }
    expect(await alerts.find(key, id)).toMatchObject(unverified)
  })

  it('that returns 410 does not suspend the alert and gets no further challenge', async () => {
    receiver.setReaction(respondWith(410))
    now = Temporal.Instant.from('2026-03-21T11:00:00Z')
    const { id } = await newAlert()
    expect(await deliver('2026-03-21T11:00:00Z')).toEqual(['failed'])
    expect(await nextDueAt(sql)).toBeUndefined()
    expect(await alerts.find(key, id)).toMatchObject({ status: 'active', verification: 'pending' })
  })

  it('is verified for all alerts of its owner to the same URL, and for no other owner', async () => {
    receiver.setReaction(echoChallenge)
    const [one, two] = [await newAlert(), await newAlert()]
    const elsewhere = await newAlert('elsewhere')
    const stranger = await issueKeyFor(sql)
    const strange = await createAlert(alerts, stranger, { webhookUrl: `https://receiver.test:${receiver.port}/` })
    await sql`update webhook_deliveries set status = 'failed', next_attempt_at = null, finished_at = now() where webhook_id <> ${one.id}`
    expect(await deliver(now.toString())).toEqual(['delivered'])
    const states = await Promise.all([one, two, elsewhere].map(({ id }) => verificationOf(id)))
    expect(states).toEqual(['verified', 'verified', 'pending'])
    expect((await alerts.find(stranger, strange.id))?.verification).toBe('pending')
  })
})

describe.each([
  ['into a day of 23 hours', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-28T12:00:00Z', '2026-03-29T11:30:00Z'],
  ['into a day of 25 hours', '2026-10-24', '2026-10-25', '2026-10-26', '2026-10-24T11:00:00Z', '2026-10-25T10:30:00Z'],
])('crossings pending verification, %s', (_what, today, tomorrow, later, firstAt, nextAt) => {
  it('are sent if the receiver is verified before the end of their market day', async () => {
    now = Temporal.Instant.from(`${today}T08:00:00Z`)
    const { id } = await newAlert()
    await deliver(now.toString())
    await publish(tomorrow, firstAt)
    await deliver(firstAt)
    expect(typesSent()).not.toContain('alert.triggered')
    // Meanwhile nothing counts as overdue, and no worker is kept awake.
    expect((await readBacklogs(sql, now.add({ seconds: 30 }))).deliveriesOverdueSeconds).toBe(0)
    expect(now.until((await nextDueAt(sql)) ?? now).total('seconds')).toBe(600)
    receiver.setReaction(echoChallenge)
    now = Temporal.Instant.from(nextAt)
    await alerts.verify(key, id)
    expect(await deliver(nextAt)).toContain('delivered')
    expect(typesSent().at(-1)).toBe('alert.triggered')
    expect(JSON.parse(receiver.calls.at(-1)?.body ?? '')).toMatchObject({ date: tomorrow })
  })

  it('are abandoned if the receiver is verified later', async () => {
    now = Temporal.Instant.from(`${today}T08:00:00Z`)
    await sql`delete from alert_days`
    const { id } = await newAlert()
    await publish(tomorrow, firstAt)
    // The market day has ended in Rome; the delivery itself has not yet expired.
    const at = Temporal.ZonedDateTime.from(`${later}T00:30[Europe/Rome]`).toInstant().toString()
    await sql`update webhook_deliveries set give_up_at = ${at}::timestamptz + interval '1 hour'`
    receiver.setReaction(echoChallenge)
    now = Temporal.Instant.from(at)
    await alerts.verify(key, id)
    await deliver(at)
    expect(typesSent()).not.toContain('alert.triggered')
    const triggered = (await listDeliveries(sql, id, 10)).filter(({ kind }) => kind === 'triggered')
    expect(triggered).toMatchObject([{ day: tomorrow, status: 'failed', attempts: [] }])
    expect(await verificationOf(id)).toBe('verified')
  })
})

it('switching verification off sends the pending crossings', async () => {
  now = Temporal.Instant.from('2026-11-20T12:00:00Z')
  const { id } = await newAlert()
  await publish('2026-11-21', '2026-11-20T12:00:00Z')
  await deliver('2026-11-20T12:00:01Z')
  expect(typesSent()).toEqual(['webhook.verification'])
  await waiveVerification(sql)
  await deliver('2026-11-20T12:00:02Z')
  expect(typesSent()).toEqual(['webhook.verification', 'alert.triggered'])
  expect(await verificationOf(id)).toBe('not_required')
})
