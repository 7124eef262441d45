/** What webhooks of changes are called about: each change once, from their creation on, also while other processes queue or are killed. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WebhookService } from '../../../src/delivery/webhooks/webhook-service.ts'
import { svcSignature } from '../../../src/delivery/webhooks/webhook-signature.ts'
import { refreshAggregates } from '../../../src/store/aggregates.ts'
import { revokeApiKey } from '../../../src/store/api-keys.ts'
import { removeOldChanges } from '../../../src/store/changes.ts'
import type { Sql, Transaction } from '../../../src/store/database.ts'
import { ensureIdentity } from '../../../src/store/identity.ts'
import { queueChanges } from '../../../src/store/webhook-events.ts'
import type { WebhookSettings } from '../../../src/store/webhooks.ts'
import { issueKeyFor, newSecretBox, testWebhookClient, testWebhookService } from '../../support/alerts.ts'
import { databaseOfFile } from '../../support/database.ts'
import { deliverAt } from '../../support/deliveries.ts'
import { dailyPrice, storePrices, zoneDay } from '../../support/prices.ts'
import { answering, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts'

const secrets = newSecretBox()
let now = Temporal.Instant.from('2026-10-24T11:00:00Z')
let receiver: WebhookReceiver
let client: ReturnType<typeof testWebhookClient>
let webhooks: WebhookService<'changes'>
let key: string
const { sql } = (await databaseOfFile()).database
beforeAll(async () => {
  await ensureIdentity(sql)
  receiver = await startWebhookReceiver()
  const ports = [receiver.port]
  client = testWebhookClient({ ports, now: () => now })
  webhooks = testWebhookService('changes', { sql, clock: { now: () => now }, secrets, ports })
})
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await sql`delete from webhooks`
  receiver.calls.length = 0
  receiver.react(answering(204))
  key = await issueKeyFor(sql)
})

async function create(wanted: Partial<WebhookSettings['changes']> = {}, path = '') {
  const url = `https://receiver.test:${receiver.port}/${path}`
  const created = await webhooks.create(key, {
    wanted: { kinds: ['day.published', 'day.corrected', 'hours.negative'], datasets: null, zones: null, ...wanted },
    receiving: { url },
    most: 10,
  })
  if (!('webhook' in created)) throw new Error(`refused: ${JSON.stringify(created)}`)
  return { id: created.webhook.id, secret: created.signingSecret }
}
const queue = (on: Sql | Transaction = sql, most = 1_000) =>
  queueChanges(on as Sql, { now, giveUpAt: now.add({ hours: 24 }), most })
const deliver = async () => (await deliverAt({ sql, client, secrets, now })).map(({ effect }) => effect)
const publish = async (day: string, ...prices: number[]) => {
  for (const price of prices) {
    now = now.add({ seconds: 1 })
    await storePrices(sql, [zoneDay('nazionale', day, 60, () => price)], { at: now })
  }
  await refreshAggregates(sql)
}
const sent = () => receiver.calls.map(({ body }) => JSON.parse(body))

describe('a webhook of changes', () => {
  it('is called about what happens after its creation, with what the list of changes says, signed', async () => {
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

  it('gets the datasets, zones and kinds it wants, and nothing of other keys', async () => {
    const north = await create({ datasets: ['zones', 'ttf'], zones: ['nord', 'cala'] }, 'north')
    await create({ kinds: ['day.corrected'] }, 'corrected')
    await create({ kinds: ['key.revoked'] }, 'keys')
    const other = await issueKeyFor(sql)
    await storePrices(sql, [
      zoneDay('sud', '2026-03-29', 60, () => 50),
      zoneDay('nazionale', '2026-03-29', 60, () => 50),
    ])
    await storePrices(sql, [zoneDay('nord', '2026-03-29', 60, () => 50)])
    await storePrices(sql, [dailyPrice('TTF', '2026-03-29', 20)])
    await revokeApiKey(sql, other, now)
    await refreshAggregates(sql)
    await queue()
    await deliver()
    expect(sent().map(({ webhook, data }) => [webhook, data.dataset, data.zones])).toEqual(
      expect.arrayContaining([
        [north.id, 'zones', ['nord']],
        [north.id, 'ttf', undefined],
      ]),
    )
    expect(receiver.calls.map(({ path }) => path)).toEqual(['/north', '/north'])
  })

  it('is called once for each change, however often, in however small steps and by how many it is queued', async () => {
    await create()
    await publish('2026-11-01', 10, 20, 30)
    const results = await Promise.all(Array.from({ length: 6 }, () => queue(sql, 1)))
    expect(results.reduce((sum, { deliveries }) => sum + deliveries, 0)).toBe(3)
    expect(await queue()).toEqual({ changes: 0, deliveries: 0 })
  })

  it('loses nothing where the queueing is cut off before its commit', async () => {
    await create()
    await publish('2026-11-02', 10)
    const cutOff = sql.begin(async (tx: Transaction) => {
      await queue(tx as unknown as Sql)
      throw new Error('cut off')
    })
    await expect(cutOff).rejects.toThrow('cut off')
    expect(await queue()).toMatchObject({ deliveries: 1 })
  })

  it('is suspended like an alert, and is sent what waited once it is resumed', async () => {
    const { id } = await create()
    receiver.react(answering(410))
    await publish('2026-11-03', 10)
    await queue()
    expect(await deliver()).toEqual(['suspended'])
    await publish('2026-11-04', 10)
    await queue()
    expect(await deliver()).toEqual([])
    receiver.react(answering(204))
    await webhooks.resume(key, id)
    expect(await deliver()).toEqual(['delivered'])
    expect(sent().at(-1)).toMatchObject({ data: { day: '2026-11-04' } })
  })

  it('is not called for a key that is revoked, and its deliveries go when the changes do', async () => {
    await create()
    await publish('2026-11-05', 10)
    await queue()
    await revokeApiKey(sql, key, now)
    await publish('2026-11-06', 10)
    expect(await queue()).toMatchObject({ deliveries: 0 })
    await removeOldChanges(sql, now.add({ hours: 24 * 91 }))
    expect([...(await sql`select from webhook_events`), ...(await sql`select from webhook_deliveries`)]).toEqual([])
  })
})
