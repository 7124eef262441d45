import type { ServerResponse } from 'node:http'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { alertSentence } from '../../../src/delivery/webhooks/alert-text.ts'
import { svcSignature } from '../../../src/delivery/webhooks/webhook-signature.ts'
import { withRequestId } from '../../../src/platform/request-id.ts'
import { claimDueDeliveries, nextDueAt } from '../../../src/store/webhook-deliveries.ts'
import { listDeliveries } from '../../../src/store/webhook-events.ts'
import {
  createAlert,
  issueKeyFor,
  newSecretBox,
  seedWebhook,
  storeCrossing,
  testAlertService,
  testWebhookClient,
} from '../../support/alerts.ts'
import { databaseOfFile } from '../../support/database.ts'
import { deliverAt } from '../../support/deliveries.ts'
import { startPlainServer, untilBlockedByLock } from '../../support/plain-server.ts'
import { hasPostgres, needsPostgres } from '../../support/postgres-cluster.ts'
import {
  type ReceivedCall,
  respondWith,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/webhook-receiver.ts'

const START = Temporal.Instant.from('2026-11-21T12:00:00Z')
const secrets = newSecretBox()

let now = START
const { sql } = (await databaseOfFile()).database
const receiver = await startWebhookReceiver()
const other = await startWebhookReceiver()
const ports = [receiver.port, other.port]
const client = testWebhookClient({ ports, now: () => now })
const alerts = testAlertService({ sql, clock: { now: () => now }, secrets, ports })
const key = await issueKeyFor(sql)
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await sql`delete from webhooks`
  now = START
  for (const one of [receiver, other]) {
    one.setReaction(respondWith(204))
    one.calls.length = 0
  }
})

const alertTo = (to: WebhookReceiver, path = '/hook') =>
  createAlert(alerts, key, { webhookUrl: `https://receiver.test:${to.port}${path}` })

const daysOf = (month: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`)

const fire = (alertId: string, day?: string, at = now) => storeCrossing(sql, alertId, at, day)

const deliver = (at = now) => {
  now = at
  return deliverAt({ sql, client, secrets, now: at })
}
const effects = async (at = now) => (await deliver(at)).map(({ effect }) => effect)
const find = (id: string) => alerts.find(key, id)
const statusOf = async (id: string) => (await listDeliveries(sql, id, 10)).map(({ status }) => status)

describe('a delivery', () => {
  it('sends as X-Request-Id the id of the request that caused it, if any', async () => {
    const { id } = await alertTo(receiver)
    await withRequestId('request-77', () => alerts.test(key, id))
    await deliver()
    await fire(id)
    await deliver()
    expect(receiver.calls.map(({ headers }) => headers['x-request-id'])).toEqual(['request-77', undefined])
  })

  it('sends exactly the specified body, once', async () => {
    const { id } = await alertTo(receiver)
    await fire(id)
    expect(await effects()).toEqual(['delivered'])
    expect(await effects()).toEqual([])
    expect(receiver.calls.map(({ body }) => JSON.parse(body))).toEqual([
      {
        type: 'alert.triggered',
        alert_id: id,
        asset: 'PUN',
        condition: 'above',
        threshold: 100,
        value: 152.347381,
        unit: '€/MWh',
        date: '2026-11-22',
        triggered_at: '2026-11-21T12:00:00Z',
      },
    ])
  })

  it('that fails is tried five more times within 24 hours, with the same id and body, then marked failed', async () => {
    receiver.setReaction(respondWith(500))
    const { id } = await alertTo(receiver)
    await fire(id)
    const waits: number[] = []
    for (;;) {
      await deliver()
      const next = await nextDueAt(sql)
      if (next === undefined) break
      waits.push(now.until(next).total('seconds'))
      now = next
    }
    expect(waits).toEqual([60, 600, 3600, 21_600, 54_000])
    expect(new Set(receiver.calls.map((call) => `${call.headers['webhook-id']} ${call.body}`)).size).toBe(1)
    expect(receiver.calls).toHaveLength(6)
    const [delivery] = await listDeliveries(sql, id, 10)
    const attempts = Array(6).fill({ outcome: 'bad_status', statusCode: 500 })
    expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null, attempts })
  })

  it('is retried after the delay given in Retry-After', async () => {
    receiver.setReaction(respondWith(429, { 'Retry-After': '1800' }))
    await fire((await alertTo(receiver)).id)
    await deliver()
    expect(await nextDueAt(sql)).toEqual(START.add({ seconds: 1800 }))
  })

  it('claimed by a dead worker is made by another once the claim expires', async () => {
    const { id } = await alertTo(receiver)
    await fire(id)
    await sql`update webhook_deliveries set claimed_until = ${now.add({ seconds: 30 }).toString()}::timestamptz`
    expect(await effects()).toEqual([])
    expect(await nextDueAt(sql)).toEqual(now.add({ seconds: 30 }))
    expect(await effects(now.add({ seconds: 30 }))).toEqual(['delivered'])
  })

  it('stays delivered if a worker whose claim has expired fails later; its attempt is listed', async () => {
    const { id } = await alertTo(receiver)
    const called = Promise.withResolvers<ServerResponse>()
    receiver.setReaction((_req, res) => called.resolve(res))
    await fire(id)
    const late = effects()
    const unanswered = await called.promise
    receiver.setReaction(respondWith(204))
    expect(await effects(now.add({ seconds: 30 }))).toEqual(['delivered'])
    unanswered.writeHead(500).end()
    expect(await late).toEqual(['failed'])
    const attempts = [{ outcome: 'delivered' }, { outcome: 'bad_status' }]
    expect(await listDeliveries(sql, id, 10)).toMatchObject([{ status: 'delivered', nextAttemptAt: null, attempts }])
    expect(await find(id)).toMatchObject({ consecutiveFailures: 0 })
  })

  it('is deleted if its alert is deleted during the call', async () => {
    const { id } = await alertTo(receiver)
    await fire(id)
    receiver.setReaction((_req, res) => void alerts.remove(key, id).then(() => res.writeHead(500).end()))
    expect(await effects()).toEqual(['deleted'])
    expect([...(await sql`select 1 from webhook_deliveries`)]).toEqual([])
  })
})

describe('failures in a row', () => {
  it('suspend the alert at exactly 20; resuming resets the count and delivers what is still current', async () => {
    receiver.setReaction(respondWith(500))
    const { id } = await alertTo(receiver)
    for (const day of daysOf('2026-10', 22)) await fire(id, day)
    const outcome = await effects()
    expect(outcome.filter((effect) => effect === 'suspended')).toHaveLength(1)
    expect(await find(id)).toMatchObject({ status: 'suspended', consecutiveFailures: 20, suspendedBecause: 'failures' })

    receiver.calls.length = 0
    expect(await effects(now.add({ hours: 1 }))).toEqual([])
    receiver.setReaction(respondWith(204))
    expect(await alerts.resume(key, id)).toMatchObject({ status: 'active', consecutiveFailures: 0 })
    expect(await effects()).toEqual(Array(22).fill('delivered'))
  })

  it('are reset by a success', async () => {
    const { id } = await alertTo(receiver)
    receiver.setReaction(respondWith(500))
    for (const day of daysOf('2026-10', 19)) await fire(id, day)
    await deliver()
    expect(await find(id)).toMatchObject({ status: 'active', consecutiveFailures: 19 })
    receiver.setReaction(respondWith(200))
    await deliver(now.add({ minutes: 2 }))
    expect(await find(id)).toMatchObject({ status: 'active', consecutiveFailures: 0 })
  })

  it('of tests do not count', async () => {
    receiver.setReaction(respondWith(500))
    const { id } = await alertTo(receiver)
    for (let i = 0; i < 21; i += 1) {
      now = now.add({ minutes: 1 })
      await alerts.test(key, id)
      expect(await effects(now)).toEqual(['failed'])
    }
    expect(await find(id)).toMatchObject({ status: 'active', consecutiveFailures: 0 })
    expect(new Set(await statusOf(id))).toEqual(new Set(['failed']))
  })

  it('are not required for suspension if the receiver returns 410', async () => {
    receiver.setReaction(respondWith(410))
    const { id } = await alertTo(receiver)
    await fire(id)
    expect(await effects()).toEqual(['suspended'])
    expect(await find(id)).toMatchObject({ status: 'suspended', suspendedBecause: 'gone' })
    expect(await statusOf(id)).toEqual(['failed'])
  })
})

describe('a suspended alert', () => {
  it('can be tested', async () => {
    const { id } = await alertTo(receiver)
    await sql`update webhooks set status = 'suspended', suspended_at = now(), suspended_because = 'gone' where id = ${id}`
    await alerts.test(key, id)
    expect(await effects()).toEqual(['delivered'])
    expect(JSON.parse(receiver.calls[0]?.body ?? '')).toMatchObject({ type: 'alert.test', value: null, date: null })
  })

  it('abandons deliveries that are older than 24 hours', async () => {
    const { id } = await alertTo(receiver)
    await fire(id)
    await sql`update webhooks set status = 'suspended', suspended_at = now(), suspended_because = 'gone' where id = ${id}`
    expect(await effects(now.add({ hours: 25 }))).toEqual([])
    expect(await statusOf(id)).toEqual(['failed'])
  })
})

it('a replay resends the event with the same id and body', async () => {
  const { id } = await alertTo(receiver)
  await fire(id)
  await deliver()
  const [first] = await listDeliveries(sql, id, 1)
  await alerts.replay(key, id, first?.id ?? '')
  expect(await effects()).toEqual(['delivered'])
  const [one, two] = receiver.calls
  expect([two?.headers['webhook-id'], two?.body]).toEqual([one?.headers['webhook-id'], one?.body])
})

it('a hanging receiver does not delay other receivers, however many of its calls are pending', async () => {
  const slow = await alertTo(receiver)
  const quick = await alertTo(other)
  for (const month of ['2026-07', '2026-08', '2026-09']) {
    for (const day of daysOf(month, 28)) await fire(slow.id, day)
  }
  for (const day of daysOf('2026-10', 10)) await fire(quick.id, day)
  let quickIsDone = false
  const held: (() => void)[] = []
  receiver.setReaction((req) => {
    const hangUp = () => req.socket.destroy()
    if (quickIsDone) hangUp()
    else held.push(hangUp)
  })
  const all = deliver()
  await other.untilReceived(10)
  quickIsDone = true
  for (const hangUp of held) hangUp()
  await all
  expect(await statusOf(quick.id)).toEqual(Array(10).fill('delivered'))
})

it('a delivery created while another receiver has not answered is made before it answers', async () => {
  const slow = await alertTo(receiver)
  const quick = await alertTo(other)
  const called = Promise.withResolvers<ServerResponse>()
  receiver.setReaction((_req, res) => called.resolve(res))
  await fire(slow.id)
  const all = effects()
  const unanswered = await called.promise
  await fire(quick.id)
  await other.untilReceived(1)
  unanswered.writeHead(204).end()
  expect(await all).toEqual(['delivered', 'delivered'])
})

describe.skipIf(!hasPostgres)(needsPostgres('two workers'), () => {
  it('do not claim the same delivery, even if one commits between the snapshot and the lock of the other', async () => {
    await using server = await startPlainServer({ poolSize: 3 })
    const { sql } = server.database
    await seedWebhook(sql, await issueKeyFor(sql), { id: 'alr_0000000000000001', delivery: 'dlv_1' })
    await sql`update webhook_deliveries set next_attempt_at = ${now.toString()}, give_up_at = ${now.add({ hours: 1 }).toString()}`
    // Holds the second claim after its snapshot.
    await sql`
      create or replace function webhook_may_call(p_kind text, p_status text, p_verification text) returns boolean
      language sql volatile as 'select pg_advisory_xact_lock_shared(1) is not null'`
    const claimedUntil = now.add({ seconds: 30 })
    const claim = sql.begin(async (gate) => {
      await gate`select pg_advisory_xact_lock(1)`
      const claimed = claimDueDeliveries(sql, {
        now,
        claimedUntil,
        maxCount: 9,
        maxPerHost: 9,
        maxMails: 9,
        busyHosts: [],
      })
      await untilBlockedByLock(server.database)
      await sql`update webhook_deliveries set claimed_until = ${claimedUntil.toString()}`
      return { claimed }
    })
    expect(await (await claim).claimed).toEqual([])
  })
})

it('a delivery after a secret rotation carries both signatures for 24 hours, then the new one alone', async () => {
  const { id } = await alertTo(receiver)
  await alerts.rotateSecret(key, id)
  await fire(id)
  await deliver()
  await fire(id, '2026-11-23', START.add({ hours: 25 }))
  await deliver(START.add({ hours: 25 }))
  const counts = receiver.calls.map(({ headers }) => headers['webhook-signature']?.split(' ').length)
  expect(counts).toEqual([2, 1])
})

describe('an alert in plain text', () => {
  it('sends one sentence in its language as the signed body', async () => {
    const webhookUrl = `https://receiver.test:${receiver.port}/topic`
    const sent = []
    for (const about of [{}, { language: 'it', condition: 'change_pct', threshold: -5.5 }] as const) {
      const { id, secret } = await createAlert(alerts, key, { webhookUrl, body: 'text', ...about })
      await fire(id)
      await deliver()
      const { headers, body } = receiver.calls.at(-1) as ReceivedCall
      expect(headers['x-svc-signature']).toBe(svcSignature(secret, body))
      sent.push([headers['content-type'], body])
    }
    expect(sent).toEqual([
      ['text/plain; charset=utf-8', 'PUN above 100 €/MWh: 152.35 €/MWh on 22 November 2026'],
      ['text/plain; charset=utf-8', 'PUN variazione di -5,5 %: 152,35 €/MWh il 22 novembre 2026'],
    ])
  })

  it.each([
    ['2026-03-29', '29 March 2026', '01:00, 03:00'],
    ['2026-10-25', '25 October 2026', '02:00, 02:00'],
  ])('gives the hours of %s in local time', (day, date, clocks) => {
    const hours = ['00:00', '01:00'].map((time) => Temporal.Instant.from(`${day}T${time}Z`))
    const rule = { kind: 'test', asset: 'pun-zona-sud', condition: 'below', threshold: 0, language: 'en' } as const
    expect(alertSentence({ ...rule, price: -1.5, day, hours })).toBe(
      `Test: PUN-ZONA-SUD below 0 €/MWh: -1.5 €/MWh on ${date}, hours from ${clocks}`,
    )
  })
})
