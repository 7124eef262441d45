import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WebhookService } from '../../../src/delivery/webhooks/webhook-service.ts'
import { withRequestId } from '../../../src/platform/request-id.ts'
import type { Sql } from '../../../src/store/database.ts'
import { nextDueAt } from '../../../src/store/webhook-deliveries.ts'
import { listDeliveries } from '../../../src/store/webhook-events.ts'
import { createAlert, issueKeyFor, newSecretBox, testAlertService, testWebhookClient } from '../../support/alerts.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { deliverAt } from '../../support/deliveries.ts'
import { answering, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts'

const START = Temporal.Instant.from('2026-11-21T12:00:00Z')
const secrets = newSecretBox()

let db: TestDatabase
let sql: Sql
let receiver: WebhookReceiver
let other: WebhookReceiver
let client: ReturnType<typeof testWebhookClient>
let alerts: WebhookService<'alert'>
let now = START
let key: string
beforeAll(async () => {
  db = await testDatabase()
  sql = db.database.sql
  receiver = await startWebhookReceiver()
  other = await startWebhookReceiver()
  const ports = [receiver.port, other.port]
  client = testWebhookClient({ ports, now: () => now })
  alerts = testAlertService({ sql, clock: { now: () => now }, secrets, ports })
  key = await issueKeyFor(sql)
})
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
  await db.stop()
})
beforeEach(async () => {
  await sql`delete from webhooks`
  now = START
  for (const one of [receiver, other]) {
    one.react(answering(204))
    one.calls.length = 0
  }
})

const alertTo = (to: WebhookReceiver, path = '/hook') =>
  createAlert(alerts, key, { webhookUrl: `https://receiver.test:${to.port}${path}` })

/** An event of the alert and its delivery, as a crossing writes them. */
async function fire(alertId: string, day = '2026-11-22', at = now): Promise<void> {
  await sql`
    with event as (
      insert into webhook_events (webhook_id, kind, market_day, price_eur_mwh, triggered_at)
      values (${alertId}, 'triggered', ${day}::date, 152.347381, ${at.toString()}::timestamptz) returning id
    )
    insert into webhook_deliveries (event_id, webhook_id, created_at, next_attempt_at, give_up_at)
    select id, ${alertId}, ${at.toString()}::timestamptz, ${at.toString()}::timestamptz, ${at.toString()}::timestamptz + interval '24 hours'
    from event`
}

const deliver = (at = now) => {
  now = at
  return deliverAt({ sql, client, secrets, now: at })
}
const effects = async (at = now) => (await deliver(at)).map(({ effect }) => effect)
const find = (id: string) => alerts.find(key, id)
const statusOf = async (id: string) => (await listDeliveries(sql, id, 10)).map(({ status }) => status)

describe('a delivery', () => {
  it('has the id of the request that caused it at every attempt, and no other', async () => {
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

  it('that fails is tried five more times within 24 hours, with the same id and body, and then is not', async () => {
    receiver.react(answering(500))
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
    expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null })
    expect(delivery?.attempts.map(({ outcome, statusCode }) => `${outcome} ${statusCode}`)).toEqual(
      Array(6).fill('bad_status 500'),
    )
  })

  it('is retried later if the receiver asks for it', async () => {
    receiver.react(answering(429, { 'Retry-After': '1800' }))
    await fire((await alertTo(receiver)).id)
    await deliver()
    expect(await nextDueAt(sql)).toEqual(START.add({ seconds: 1800 }))
  })

  it('of a dead worker is made by another once the claim expires', async () => {
    const { id } = await alertTo(receiver)
    await fire(id)
    await sql`update webhook_deliveries set claimed_until = ${now.add({ seconds: 30 }).toString()}::timestamptz`
    expect(await effects()).toEqual([])
    expect(await nextDueAt(sql)).toEqual(now.add({ seconds: 30 }))
    expect(await effects(now.add({ seconds: 30 }))).toEqual(['delivered'])
  })

  it('of an alert that was removed is forgotten', async () => {
    const { id } = await alertTo(receiver)
    await fire(id)
    receiver.react((_req, res) => void alerts.remove(key, id).then(() => res.writeHead(500).end()))
    expect(await effects()).toEqual(['deleted'])
    expect([...(await sql`select 1 from webhook_deliveries`)]).toEqual([])
  })
})

describe('failures in a row', () => {
  it('suspend the alert at exactly 20; resuming resets the count and delivers what is still current', async () => {
    receiver.react(answering(500))
    const { id } = await alertTo(receiver)
    for (let day = 1; day <= 22; day += 1) await fire(id, `2026-10-${String(day).padStart(2, '0')}`)
    const outcome = await effects()
    expect(outcome.filter((effect) => effect === 'suspended')).toHaveLength(1)
    expect(await find(id)).toMatchObject({ status: 'suspended', consecutiveFailures: 20, suspendedBecause: 'failures' })

    receiver.calls.length = 0
    expect(await effects(now.add({ hours: 1 }))).toEqual([])
    receiver.react(answering(204))
    expect(await alerts.resume(key, id)).toMatchObject({ status: 'active', consecutiveFailures: 0 })
    expect(await effects()).toEqual(Array(22).fill('delivered'))
  })

  it('are reset by a success', async () => {
    const { id } = await alertTo(receiver)
    receiver.react(answering(500))
    for (let day = 1; day <= 19; day += 1) await fire(id, `2026-10-${String(day).padStart(2, '0')}`)
    await deliver()
    expect(await find(id)).toMatchObject({ status: 'active', consecutiveFailures: 19 })
    receiver.react(answering(200))
    await deliver(now.add({ minutes: 2 }))
    expect(await find(id)).toMatchObject({ status: 'active', consecutiveFailures: 0 })
  })

  it('of tests do not count', async () => {
    receiver.react(answering(500))
    const { id } = await alertTo(receiver)
    for (let i = 0; i < 21; i += 1) {
      now = now.add({ minutes: 1 })
      await alerts.test(key, id)
      expect(await effects(now)).toEqual(['failed'])
    }
    expect(await find(id)).toMatchObject({ status: 'active', consecutiveFailures: 0 })
    expect(new Set(await statusOf(id))).toEqual(new Set(['failed']))
  })

  it('are not needed if the receiver answers 410', async () => {
    receiver.react(answering(410))
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

  it('gives up what is older than 24 hours', async () => {
    const { id } = await alertTo(receiver)
    await fire(id)
    await sql`update webhooks set status = 'suspended', suspended_at = now(), suspended_because = 'gone' where id = ${id}`
    expect(await effects(now.add({ hours: 25 }))).toEqual([])
    expect(await statusOf(id)).toEqual(['failed'])
  })
})

describe('a replay', () => {
  it('sends the same event again under its id', async () => {
    const { id } = await alertTo(receiver)
    await fire(id)
    await deliver()
    const [first] = await listDeliveries(sql, id, 1)
    await alerts.replay(key, id, first?.id ?? '')
    expect(await effects()).toEqual(['delivered'])
    const [one, two] = receiver.calls
    expect([two?.headers['webhook-id'], two?.body]).toEqual([one?.headers['webhook-id'], one?.body])
  })
})

describe('a hanging receiver', () => {
  it('does not hold up the others, however many calls it has waiting', async () => {
    const slow = await alertTo(receiver)
    const quick = await alertTo(other)
    for (let day = 1; day <= 28; day += 1) {
      for (const month of ['07', '08', '09']) await fire(slow.id, `2026-${month}-${String(day).padStart(2, '0')}`)
    }
    for (let day = 1; day <= 10; day += 1) await fire(quick.id, `2026-10-${String(day).padStart(2, '0')}`)
    let quickIsDone = false
    const held: (() => void)[] = []
    receiver.react((req) => {
      const hangUp = () => req.socket.destroy()
      if (quickIsDone) hangUp()
      else held.push(hangUp)
    })
    const all = deliver()
    await other.received(10)
    quickIsDone = true
    for (const hangUp of held) hangUp()
    await all
    expect(await statusOf(quick.id)).toEqual(Array(10).fill('delivered'))
  })
})

describe('signing after a rotation', () => {
  it('carries both signatures for 24 hours, then the new one alone', async () => {
    const { id } = await alertTo(receiver)
    await alerts.rotateSecret(key, id)
    await fire(id)
    await deliver()
    await fire(id, '2026-11-23', START.add({ hours: 25 }))
    await deliver(START.add({ hours: 25 }))
    const counts = receiver.calls.map(({ headers }) => headers['webhook-signature']?.split(' ').length)
    expect(counts).toEqual([2, 1])
  })
})
