/** Creates alerts as the API does, for tests below the HTTP layer. */
import { randomBytes } from 'node:crypto'
import { MemoryCounter } from '../../src/api/access/memory-counter.ts'
import { DAY_SECONDS, rateLimiter } from '../../src/api/access/rate-limiter.ts'
import { DELIVERY_HOURS } from '../../src/delivery/webhooks/retry-schedule.ts'
import { type SecretBox, secretBox } from '../../src/delivery/webhooks/secret-box.ts'
import { webhookClient } from '../../src/delivery/webhooks/webhook-client.ts'
import {
  type WebhookService,
  type WebhookServiceOptions,
  webhookService,
} from '../../src/delivery/webhooks/webhook-service.ts'
import { addressRules } from '../../src/platform/egress/address-rules.ts'
import type { Resolve } from '../../src/platform/egress/checked-lookup.ts'
import { publicDispatcher } from '../../src/platform/egress/public-dispatcher.ts'
import { SECRETS_KEY_BYTES, Secret } from '../../src/platform/secret.ts'
import { detectCrossings, type EvaluatedDay } from '../../src/store/alerts.ts'
import type { Sql } from '../../src/store/database.ts'
import type { WebhookKind, WebhookSettings } from '../../src/store/webhooks.ts'
import { seedApiKey } from './api-keys.ts'
import { TEST_CA } from './webhook-receiver.ts'

/** Resolves every host name to this machine. */
export const resolveToLocalhost: Resolve = (_host, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }])

export function newSecretBox(): SecretBox {
  return secretBox(new Secret(randomBytes(SECRETS_KEY_BYTES).toString('base64')))
}

/** Issues a key that can own alerts; returns its id. */
export async function issueKeyFor(sql: Sql, about: { email?: string } = {}): Promise<string> {
  return (await seedApiKey(sql, { plan: 'API', ...about })).id
}

type TestOptions = Pick<WebhookServiceOptions, 'sql' | 'clock' | 'secrets' | 'ports'> & Partial<WebhookServiceOptions>

/** The alert service; accepts receivers on this machine, on any port. */
export function testAlertService(options: TestOptions): WebhookService<'alert'> {
  return testWebhookService('alert', options)
}

/** The same for alerts or webhooks. */
export function testWebhookService<K extends WebhookKind>(kind: K, options: TestOptions): WebhookService<K> {
  return webhookService(kind, {
    addresses: addressRules(['127.0.0.0/8']),
    challengesPerDay: 200_000,
    verification: false,
    mail: true,
    challengeLimiter: rateLimiter(new MemoryCounter(DAY_SECONDS), DAY_SECONDS),
    wake: async () => {},
    resolve: resolveToLocalhost,
    ...options,
  })
}

/** Detects crossings as the job does. */
export function detectCrossingsAt(sql: Sql, now: Temporal.Instant): Promise<EvaluatedDay[]> {
  return detectCrossings(sql, { now, giveUpAt: now.add({ hours: DELIVERY_HOURS }) })
}

export async function createAlert(
  alerts: WebhookService<'alert'>,
  keyId: string,
  {
    webhookUrl,
    email = null,
    ...about
  }: Partial<WebhookSettings['alert']> & { webhookUrl?: string; email?: string | null },
) {
  const settings = {
    asset: 'pun',
    condition: 'above',
    threshold: 100,
    granularity: 'day',
    body: 'json',
    language: 'en',
  } as const
  const created = await alerts.create(keyId, {
    settings: { ...settings, ...about },
    receiving: webhookUrl === undefined ? { email } : { url: webhookUrl },
    most: 100_000,
  })
  if (!('webhook' in created)) throw new Error(`refused: ${JSON.stringify(created)}`)
  return { id: created.webhook.id, secret: created.signingSecret }
}

/** A client that trusts the tests' authority and resolves every name to this machine, unless configured otherwise. */
export function testWebhookClient(options: {
  ports: readonly number[]
  now(): Temporal.Instant
  deadlineMs?: number
  allowed?: string[]
  resolve?: Resolve
  connectionsPerHost?: number
}) {
  const addresses = addressRules(options.allowed ?? ['127.0.0.0/8'])
  const dispatcher = publicDispatcher({
    addresses,
    connectTimeoutMs: 2_000,
    connectionsPerHost: options.connectionsPerHost ?? 32,
    resolve: options.resolve ?? resolveToLocalhost,
    ca: TEST_CA,
  })
  const client = webhookClient({
    dispatcher,
    urlRules: { lengthMax: 2048, ports: options.ports, addresses },
    userAgent: 'test',
    now: options.now,
    ...(options.deadlineMs !== undefined && { deadlineMs: options.deadlineMs }),
  })
  return { ...client, [Symbol.asyncDispose]: () => dispatcher.destroy() }
}

/** Stores an alert or webhook of a key, with one delivery, under ids chosen by the test. Idempotent. */
export async function seedWebhook(
  sql: Sql,
  keyId: string,
  { id, delivery }: { id: string; delivery: string },
): Promise<void> {
  const columns = id.startsWith('alr_')
    ? sql`'pun', 'above', 100, 'day', null, null`
    : sql`null, null, null, null, array['day.published'], 0`
  await sql`
    insert into webhooks (id, key_root, asset, condition, threshold, granularity, kinds, starts_after, url, host, secret, created_at)
    values (${id}, ${keyId}, ${columns}, 'https://receiver.test/', 'receiver.test:443', 'sealed', now())
    on conflict do nothing`
  const event = delivery.replace('dlv_', 'msg_')
  await sql`
    insert into webhook_events (id, webhook_id, kind, triggered_at) values (${event}, ${id}, 'test', now()) on conflict do nothing`
  await sql`
    insert into webhook_deliveries (id, event_id, webhook_id, created_at, next_attempt_at, give_up_at)
    values (${delivery}, ${event}, ${id}, now(), now(), now()) on conflict do nothing`
}

/** Stores an event of the alert and its delivery, as a crossing does. */
export async function storeCrossing(
  sql: Sql,
  alertId: string,
  at: Temporal.Instant,
  day = '2026-11-22',
): Promise<void> {
  await sql`
    with event as (
      insert into webhook_events (webhook_id, kind, market_day, price_eur_mwh, triggered_at)
      values (${alertId}, 'triggered', ${day}::date, 152.347381, ${at.toString()}::timestamptz) returning id
    )
    insert into webhook_deliveries (event_id, webhook_id, created_at, next_attempt_at, give_up_at)
    select id, ${alertId}, ${at.toString()}::timestamptz, ${at.toString()}::timestamptz, ${at.toString()}::timestamptz + interval '24 hours'
    from event`
}
