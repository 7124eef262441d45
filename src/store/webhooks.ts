/** Webhooks: price alerts, and change webhooks. A holder sees only its own: statements filter by the root of the key's chain. */

import type { Kysely } from 'kysely'
import type {
  AlertAsset,
  AlertBodyForm,
  AlertCondition,
  AlertGranularity,
  AlertLanguage,
} from '../api/contract/alerts.ts'
import type { ChangeDataset, ChangeKind } from '../api/contract/changes.ts'
import type { MarketZone } from '../market/zones.ts'
import type { Sql, Transaction } from './database.ts'
import { run, runOne } from './run.ts'
import type { Schema } from './schema.generated.ts'
import { type CallRequest, writeChallenge } from './webhook-events.ts'

export interface Receiver {
  id: string
  url: string
  status: 'active' | 'suspended'
  /** `not_required`: verification of receivers is off. */
  verification: 'not_required' | 'pending' | 'verified'
  consecutiveFailures: number
  createdAt: Temporal.Instant
  suspendedAt: Temporal.Instant | null
  suspendedBecause: 'failures' | 'gone' | null
  ownerNotified: 'pending' | 'sent' | 'failed' | 'not_sent' | null
}

/** The events that its owner subscribes to. */
export interface WebhookSettings {
  alert: {
    asset: AlertAsset
    condition: AlertCondition
    threshold: number
    granularity: AlertGranularity
    body: AlertBodyForm
    language: AlertLanguage
  }
  /** Null: all of them. */
  changes: { kinds: ChangeKind[]; datasets: ChangeDataset[] | null; zones: MarketZone[] | null }
}

export type WebhookKind = keyof WebhookSettings
type AnySettings = Partial<WebhookSettings['alert'] & WebhookSettings['changes']>
export type WebhookRecord<K extends WebhookKind = WebhookKind> = Receiver & WebhookSettings[K]
export type AlertRecord = WebhookRecord<'alert'>

/** Prefixes of the ids. */
export const ID_PREFIXES = { alert: 'alr_', changes: 'whk_' } as const satisfies Record<WebhookKind, string>

interface NewWebhook<K extends WebhookKind> {
  id: string
  settings: WebhookSettings[K]
  url: string
  host: string
  /** Encrypted. */
  secret: string
  createdAt: Temporal.Instant
  verification: Receiver['verification']
  /** Sent to a receiver whose verification is pending, until `giveUpAt`. */
  challenge: string
  giveUpAt: Temporal.Instant
  /** Id of the request that creates it. */
  requestId: string | undefined
}

/**
 * Stores a webhook, with a challenge if its verification is pending. Stores nothing and returns false if the holder already has `most` of
 * its kind; concurrent requests cannot exceed it. A change webhook receives the changes recorded from now on.
 */
export async function insertWebhook<K extends WebhookKind>(
  sql: Sql,
  kind: K,
  root: string,
  webhook: NewWebhook<K>,
  maxPerOwner: number,
): Promise<boolean> {
  const { id, url, host, secret, verification, createdAt, giveUpAt, requestId, challenge } = webhook
  const settings: AnySettings = webhook.settings
  return sql.begin(async (tx: Transaction) => {
    await tx`select pg_advisory_xact_lock(hashtext('webhooks of ' || ${root}))`
    const { count } = await tx`
      insert into webhooks
        (id, key_root, asset, condition, threshold, granularity, body, language, kinds, datasets, zones, starts_after, url, host, secret,
         verification, created_at)
      select ${id}, ${root}, ${settings.asset ?? null}, ${settings.condition ?? null}, ${settings.threshold ?? null}::float8,
        ${settings.granularity ?? null}, ${settings.body ?? 'json'}, ${settings.language ?? 'en'}, ${settings.kinds ?? null}::text[], ${settings.datasets ?? null}::text[], ${settings.zones ?? null}::text[],
        case when ${kind === 'changes'} then (select position from change_log) end,
        ${url}, ${host}, ${secret}, ${verification}, ${createdAt}::timestamptz
      where (select count(*) from webhooks where key_root = ${root} and starts_with(id, ${ID_PREFIXES[kind]})) < ${maxPerOwner}::integer`
    if (count === 1 && verification === 'pending')
      await writeChallenge(tx, { webhookId: id, now: createdAt, giveUpAt, requestId, challenge })
    return count === 1
  })
}

/** Settings to change; undefined ones stay unchanged. */
export interface WebhookChange<K extends WebhookKind> {
  settings: Partial<WebhookSettings[K]>
  /** A new receiver; its challenge is sent if its verification is pending. */
  receiver?: { url: string; host: string; verification: Receiver['verification']; challenge: string } | undefined
}

/** Updates a webhook. A new threshold is evaluated like that of a new alert (by a trigger); a new receiver has no failures yet. */
export async function updateWebhook<K extends WebhookKind>(
  sql: Sql,
  root: string,
  { settings, receiver }: WebhookChange<K>,
  request: CallRequest,
): Promise<void> {
  const { threshold, body, language, kinds, datasets, zones }: AnySettings = settings
  await sql.begin(async (tx: Transaction) => {
    const { count } = await run(tx, (db) =>
      updateOf(db, root, request.webhookId).set({
        // Kysely leaves out undefined fields; setting the id keeps an empty change a valid statement.
        id: request.webhookId,
        ...{ threshold, body, language, kinds, datasets, zones },
        ...{ url: receiver?.url, host: receiver?.host, verification: receiver?.verification },
        consecutive_failures: receiver && 0,
      }),
    )
    if (count === 1 && receiver?.verification === 'pending')
      await writeChallenge(tx, { ...request, challenge: receiver.challenge })
  })
}

/** Whether the holder has already confirmed calls to this address. */
export async function isVerifiedWebhook(sql: Sql, root: string, url: string): Promise<boolean> {
  const webhook = await runOne(sql, (db) =>
    db
      .selectFrom('webhooks')
      .select('id')
      .where('key_root', '=', root)
      .where('url', '=', url)
      .where('verification', '=', 'verified')
      .limit(1),
  )
  return webhook !== undefined
}

/** Waives pending verifications if receivers are no longer verified; e-mail addresses still require confirmation. */
export async function waiveVerification(sql: Sql): Promise<void> {
  await run(sql, (db) =>
    db
      .updateTable('webhooks')
      .set({ verification: 'not_required' })
      .where('verification', '=', 'pending')
      .where('url', 'not like', 'mailto:%'),
  )
}

/** The oldest first. */
export async function listWebhooks<K extends WebhookKind>(
  sql: Sql,
  kind: K,
  root: string,
): Promise<WebhookRecord<K>[]> {
  return sql<WebhookRecord<K>[]>`
    select ${columns(sql)} from webhooks w
    where w.key_root = ${root} and starts_with(w.id, ${ID_PREFIXES[kind]})
    order by w.created_at, w.id`
}

export async function findWebhook<K extends WebhookKind>(
  sql: Sql,
  kind: K,
  root: string,
  id: string,
): Promise<WebhookRecord<K> | undefined> {
  const [row] = await sql<WebhookRecord<K>[]>`
    select ${columns(sql)} from webhooks w
    where w.key_root = ${root} and w.id = ${id} and starts_with(w.id, ${ID_PREFIXES[kind]})`
  return row
}

/** Deletes a webhook with its events, deliveries and attempts. Returns false if there is none. */
export async function deleteWebhook(sql: Sql, root: string, id: string): Promise<boolean> {
  const { count } = await run(sql, (db) => db.deleteFrom('webhooks').where('key_root', '=', root).where('id', '=', id))
  return count === 1
}

/** Reactivates the webhook and resets its failure count; pending deliveries become due now. */
export async function resumeWebhook(sql: Sql, root: string, id: string, now: Temporal.Instant): Promise<boolean> {
  return sql.begin(async (tx: Transaction) => {
    const active = { status: 'active', consecutive_failures: 0, suspended_at: null, suspended_because: null } as const
    const { count } = await run(tx, (db) => updateOf(db, root, id).set(active))
    if (count === 0) return false
    await run(tx, (db) =>
      db
        .updateTable('webhook_deliveries')
        .set(({ fn, val }) => ({ next_attempt_at: fn('least', ['next_attempt_at', val(now)]) }))
        .where('webhook_id', '=', id)
        .where('status', '=', 'pending'),
    )
    return true
  })
}

/** Returns the receiver of an alert or a webhook of any owner. */
export async function findReceiver(sql: Sql, id: string): Promise<string | undefined> {
  const row = await runOne(sql, (db) => db.selectFrom('webhooks').select('url').where('id', '=', id))
  return row?.url
}

/** Records that the receiver has agreed: all webhooks of the same owner and receiver may call it. */
export async function markReceiverVerified(sql: Sql, id: string, now: Temporal.Instant): Promise<void> {
  await sql`select verify_webhook(key_root, url, ${now}::timestamptz) from webhooks where id = ${id}`
}

/** Suspends an e-mail alert as after a 410; resuming it needs a new confirmation. */
export async function stopMail(sql: Sql, id: string, now: Temporal.Instant): Promise<void> {
  await run(sql, (db) =>
    db
      .updateTable('webhooks')
      .set({ status: 'suspended', suspended_at: now, suspended_because: 'gone', verification: 'pending' })
      .where('id', '=', id)
      .where('url', 'like', 'mailto:%'),
  )
}

/** Replaces the secret; the current one becomes the previous one, which also signs until `previousUntil`. */
export async function rotateWebhookSecret(
  sql: Sql,
  root: string,
  id: string,
  { secret, previousUntil }: { secret: string; previousUntil: Temporal.Instant },
): Promise<boolean> {
  const { count } = await run(sql, (db) =>
    updateOf(db, root, id).set(({ ref }) => ({
      secret,
      previous_secret: ref('secret'),
      previous_secret_until: previousUntil,
    })),
  )
  return count === 1
}

/** Re-encrypts every stored secret, for a change of the encryption key; returns the number of webhooks. */
export async function resealSecrets(sql: Sql, reseal: (sealed: string, webhookId: string) => string): Promise<number> {
  return sql.begin(async (tx: Transaction) => {
    const rows = await run(tx, (db) =>
      db.selectFrom('webhooks').select(['id', 'secret', 'previous_secret as previous']).orderBy('id').forUpdate(),
    )
    for (const { id, secret, previous } of rows) {
      const resealed = {
        secret: reseal(secret, id),
        previous_secret: previous === null ? null : reseal(previous, id),
      }
      await run(tx, (db) => db.updateTable('webhooks').set(resealed).where('id', '=', id))
    }
    return rows.length
  })
}

function updateOf(db: Kysely<Schema>, root: string, id: string) {
  return db.updateTable('webhooks').where('key_root', '=', root).where('id', '=', id)
}

function columns(sql: Sql) {
  return sql`
    w.id, w.asset, w.condition, w.threshold, w.granularity, w.body, w.language, w.kinds, w.datasets, w.zones, w.url, w.status, w.verification,
    w.consecutive_failures as "consecutiveFailures", w.created_at as "createdAt", w.suspended_at as "suspendedAt",
    w.suspended_because as "suspendedBecause",
    case when w.status = 'suspended' then coalesce((
      select e.status from emails e
      where e.kind = 'alert_suspended' and e.subject_id = w.id and e.created_at >= w.suspended_at
      order by e.id desc limit 1
    ), 'pending') end as "ownerNotified"`
}
