/** Payloads of change webhooks, and when they stop; the simulation checks that each subscriber gets each change once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { svcSignature } from '../../../src/delivery/webhooks/webhook-signature.ts'
import { refreshAggregates } from '../../../src/store/aggregates.ts'
import { revokeApiKey } from '../../../src/store/api-keys.ts'
import { removeOldChanges } from '../../../src/store/changes.ts'
import { ensureIdentity } from '../../../src/store/identity.ts'
import { queueChanges } from '../../../src/store/webhook-events.ts'
import type { WebhookSettings } from '../../../src/store/webhooks.ts'
import { issueKeyFor, newSecretBox, testWebhookClient, testWebhookService } from '../../support/alerts.ts'
import { databaseOfFile } from '../../support/database.ts'
import { deliverAt } from '../../support/deliveries.ts'
import { storePrices, zoneDay } from '../../support/prices.ts'
import { respondWith, startWebhookReceiver } from '../../support/webhook-receiver.ts'

const secrets = newSecretBox()
let now = Temporal.Instant.from('2026-10-24T11:00:00Z')
let key: string
const { sql } = (await databaseOfFile()).database
const receiver = await startWebhookReceiver()
const ports = [receiver.port]
const client = testWebhookClient({ ports, now: () => now })
const webhooks = testWebhookService('changes', { sql, clock: { now: () => now }, secrets, ports })
beforeAll(() => ensureIdentity(sql))
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await sql`delete from webhooks`
  receiver.calls.length = 0
  receiver.setReaction(respondWith(204))
  key = await issueKeyFor(sql)
})

async function create(changes: Partial<WebhookSettings['changes']> = {}) {
  const url = `https://receiver.test:${receiver.port}/`
  const created = await webhooks.create(key, {
    settings: { kinds: ['day.published', 'day.corrected', 'hours.negative'], datasets: null, zones: null, ...changes },
    receiving: { url },
    most: 10,
  })
  if (!('webhook' in created)) throw new Error(`refused: ${JSON.stringify(created)}`)
  return { id: created.webhook.id, secret: created.signingSecret }
}
const queue = () => queueChanges(sql, { now, giveUpAt: now.add({ hours: 24 }), maxChanges: 1_000 })
const deliver = async () => (await deliverAt({ sql, client, secrets, now })).map(({ effect }) => effect)
const publish = async (day: string, ...prices: number[]) => {
  for (const price of prices) {
    now = now.add({ seconds: 1 })
    await storePrices(sql, [zoneDay('nazionale', day, 60, () => price)], { at: now })
  }
  await refreshAggregates(sql)
}
const sent = () => receiver.calls.map(({ body }) => JSON.parse(body))

describe('a change webhook', () => {
  it('receives a signed payload for each matching change after its creation', async () => {
    await publish('2026-10-24', 100)
    const { id, secret } = await create({ datasets: ['pun'] })
    await publish('2026-10-25', 90)
    const publishedAt = now.toString()
    await publish('2026-10-25', 91)
    expect(await queue()).toMatchObject({ deliveries: 2 })
    expect(await deliver()).toEqual(['delivered', 'delivered'])
    const [published] = sent().filter(({ type }) => type === 'day.published')
    expect(published).toEqual({
      type: 'day.published',
      webhook: id,
      timestamp: publishedAt,
      data: {
        cursor: expect.stringMatching(/^\d+-[0-9a-f]{8}-[0-9a-f]{6}$/),
        kind: 'day.published',
        dataset: 'pun',
        day: '2026-10-25',
        version: 1,
        as_of: publishedAt,
        details: { intervals: { nazionale: 25 } },
        url: 'https://energy.example/v1/pun/hourly?date=2026-10-25',
      },
    })
    expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
    const [call] = receiver.calls
    if (call === undefined) throw new Error('nothing was sent')
    expect(call.headers['x-svc-signature']).toBe(svcSignature(secret, call.body))
  })

  it('receives pending changes after being resumed', async () => {
    const { id } = await create()
    receiver.setReaction(respondWith(410))
    await publish('2026-11-03', 10)
    await queue()
    expect(await deliver()).toEqual(['suspended'])
    await publish('2026-11-04', 10)
    await queue()
    expect(await deliver()).toEqual([])
    receiver.setReaction(respondWith(204))
    await webhooks.resume(key, id)
    expect(await deliver()).toEqual(['delivered'])
    expect(sent().at(-1)).toMatchObject({ data: { day: '2026-11-04' } })
  })

  it('may be tested and replayed six times a minute, however many changes it is called about meanwhile', async () => {
    const { id } = await create()
    await publish('2026-11-07', 10, 11, 12, 13, 14, 15, 16)
    expect(await queue()).toMatchObject({ deliveries: 7 })
    const [first] = (await webhooks.deliveries(key, id)) ?? []
    if (first === undefined) throw new Error('nothing was queued')
    const requested = [await webhooks.replay(key, id, first.id)]
    for (let n = 0; n < 6; n += 1) requested.push(await webhooks.test(key, id))
    const accepted = { delivery: expect.anything() }
    expect(requested).toEqual([...Array(6).fill(accepted), { refused: 'too_many_calls', retryAfterSeconds: 60 }])
  })

  it('receives no events of other keys or after revocation, and loses deliveries with their changes', async () => {
    await create({ kinds: ['day.published', 'key.revoked'] })
    await revokeApiKey(sql, await issueKeyFor(sql), now)
    await publish('2026-11-05', 10)
    expect(await queue()).toMatchObject({ deliveries: 1 })
    await revokeApiKey(sql, key, now)
    await publish('2026-11-06', 10)
    expect(await queue()).toMatchObject({ deliveries: 0 })
    await removeOldChanges(sql, now.add({ hours: 24 * 91 }))
    expect([...(await sql`select from webhook_events`), ...(await sql`select from webhook_deliveries`)]).toEqual([])
  })
})
