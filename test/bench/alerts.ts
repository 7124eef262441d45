/**
 * 10,000 alerts on one index: the time to evaluate a publication, deliveries per second over HTTPS to a receiver on this machine, and
 * how much a second receiver that never responds slows down the first.
 */
import { randomBytes } from 'node:crypto'
import type { SecretBox } from '../../src/delivery/webhooks/secret-box.ts'
import { refreshAggregates } from '../../src/store/aggregates.ts'
import type { Sql } from '../../src/store/database.ts'
import { detectCrossingsAt, issueKeyFor, newSecretBox, testWebhookClient } from '../support/alerts.ts'
import { deliverAt } from '../support/deliveries.ts'
import { storePrices, zoneDay } from '../support/prices.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { atLeast, atMost, type BenchRow } from './bench.ts'
import { scratchDatabase } from './scratch.ts'

const ALERTS = 10_000
const HANGING_ALERTS = 100
const CREATED = Temporal.Instant.from('2026-11-20T09:00:00Z')
const NOW = Temporal.Instant.from('2026-11-20T12:00:00Z')

export async function alerts(): Promise<BenchRow[]> {
  await using scratch = await scratchDatabase()
  const { sql } = scratch.database
  await using receiver = await startWebhookReceiver()
  await using hanging = await startWebhookReceiver(() => {})
  const secrets = newSecretBox()
  await fill(sql, secrets, receiver, 'above', ALERTS)
  await fill(sql, secrets, hanging, 'below', HANGING_ALERTS)

  const newAlertsMs = await timeDetection(sql, '2026-11-21', 120)
  const baselineRate = await deliver(sql, secrets, [receiver, hanging], receiver)
  await timeDetection(sql, '2026-11-22', 90)
  const knownAlertsMs = await timeDetection(sql, '2026-11-23', 120)
  const hangingRate = await deliver(sql, secrets, [receiver, hanging], receiver)
  return [
    atMost(1000, 'ms', knownAlertsMs, {
      name: `detection among ${ALERTS} alerts`,
      details: 'one publication that sets off all of them: events and deliveries written',
    }),
    atMost(1000, 'ms', newAlertsMs, {
      name: `the same, of alerts that are judged for the first time`,
      details: 'their first day is written too',
    }),
    atLeast(300, '1/s', baselineRate, {
      name: 'deliveries a second',
      details: `${ALERTS} calls over HTTPS to one receiver on this machine, recorded`,
    }),
    atLeast(0.5, 'ratio', hangingRate / baselineRate, {
      name: 'the same beside a receiver that hangs, against alone',
      details: `${hangingRate.toFixed(0)}/s against ${baselineRate.toFixed(0)}/s`,
    }),
  ]
}

async function fill(sql: Sql, secrets: SecretBox, receiver: WebhookReceiver, condition: string, count: number) {
  const key = await issueKeyFor(sql)
  const ids = Array.from({ length: count }, () => `alr_${randomBytes(8).toString('hex')}`)
  const sealed = ids.map((id) => secrets.seal('whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=', id))
  await sql`
    insert into webhooks (id, key_root, asset, condition, threshold, granularity, url, host, secret, created_at)
    select i.id, ${key}, 'pun', ${condition}, 100, 'day', ${`https://receiver.test:${receiver.port}/`}, ${`receiver.test:${receiver.port}`},
      i.secret, ${CREATED.toString()}::timestamptz
    from unnest(${ids}::text[], ${sealed}::text[]) as i (id, secret)`
  await sql`analyze webhooks`
}

async function timeDetection(sql: Sql, day: string, price: number): Promise<number> {
  await storePrices(sql, [zoneDay('nazionale', day, 60, () => price)], { at: NOW })
  await refreshAggregates(sql)
  const started = performance.now()
  await detectCrossingsAt(sql, NOW)
  return performance.now() - started
}

/** Returns deliveries per second until all calls to one of the receivers have arrived. */
async function deliver(sql: Sql, secrets: SecretBox, receivers: WebhookReceiver[], until: WebhookReceiver) {
  await using client = testWebhookClient({ ports: receivers.map(({ port }) => port), now: () => NOW })
  const before = until.calls.length
  const started = performance.now()
  const done = deliverAt({ sql, client, secrets, now: NOW })
  await until.untilReceived(before + ALERTS)
  const seconds = (performance.now() - started) / 1000
  await done
  return ALERTS / seconds
}
