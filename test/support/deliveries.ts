/** Runs deliveries as the worker does, on a clock of the test's own. */
import { deliverDue } from '../../src/delivery/webhooks/deliver-due.ts'
import type { SecretBox } from '../../src/delivery/webhooks/secret-box.ts'
import type { WebhookClient } from '../../src/delivery/webhooks/webhook-client.ts'
import type { Sql } from '../../src/store/database.ts'
import { type AttemptEffect, giveUpDeliveries } from '../../src/store/webhook-deliveries.ts'

const never = new AbortController().signal

export interface DeliverOptions {
  sql: Sql
  client: WebhookClient
  secrets: SecretBox
  now: Temporal.Instant
}

/** Makes every call that is due at that instant; returns what came of them. */
export async function deliverAt({ sql, client, secrets, now }: DeliverOptions): Promise<AttemptEffect[]> {
  const effects: AttemptEffect[] = []
  const faults: unknown[] = []
  await giveUpDeliveries(sql, now)
  await deliverDue({
    sql,
    client,
    secrets,
    clock: { now: () => now },
    random: () => 0.5,
    baseUrl: new URL('https://energy.example'),
    signal: never,
    cutOff: never,
    onCall: () => {},
    onEffect: (effect) => effects.push(effect),
    onFault: (err) => faults.push(err),
  })
  if (faults.length > 0) throw faults[0]
  return effects
}
