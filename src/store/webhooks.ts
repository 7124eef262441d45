/**
 * What calls a receiver: alerts on prices, and webhooks of changes. Other holders' are invisible here: every statement filters by the
 * root of the key's chain.
 */
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
import { type CallRequest, writeChallenge } from './webhook-events.ts'

export interface Receiver {
  id: string
  url: string
  status: 'active' | 'suspended'
  /** `not_required`: created where receivers are not verified. */
  verification: 'not_required' | 'pending' | 'verified'
  consecutiveFailures: number
  createdAt: Temporal.Instant
  suspendedAt: Temporal.Instant | null
  suspendedBecause: 'failures' | 'gone' | null
  ownerNotified: 'pending' | 'sent' | 'failed' | 'not_sent' | null
}

/** What its owner wants to be told about. */
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
export type WebhookRecord<K extends WebhookKind = WebhookKind> = Receiver & WebhookSettings[K]
export type AlertRecord = WebhookRecord<'alert'>

/** What the id of each begins with. */
export const ID_PREFIXES = { alert: 'alr_', changes: 'whk_' } as const satisfies Record<WebhookKind, string>

interface NewWebhook<K extends WebhookKind> {
  id: string
  wanted: WebhookSettings[K]
  url: string
  host: string
  /** Encrypted. */
  secret: string
  createdAt: Temporal.Instant
  verification: Receiver['verification']
  /** Sent to a receiver whose verification is pending, until `giveUpAt`. */
  challenge: string
  giveUpAt: Temporal.Instant
  /** Of the request that creates it. */
  requestId: string | undefined
}

/**
 * With its challenge where one is due. False, and nothing is stored, where the holder has `most` of its kind already; concurrent
 * requests cannot exceed it. A webhook of changes is called about those that are recorded from now on.
 */
export async function insertWebhook<K extends WebhookKind>(
  sql: Sql,
  kind: K,
  root: string,
  webhook: NewWebhook<K>,
  most: number,
): Promise<boolean> {
  const { id, url, host, secret, verification, createdAt, giveUpAt, requestId, challenge } = webhook
  const wanted: Partial<WebhookSettings['alert'] & WebhookSettings['changes']> = webhook.wanted
  return sql.begin(async (tx: Transaction) => {
    await tx`select pg_advisory_xact_lock(hashtext('webhooks of ' || ${root}))`
    const { count } = await tx`
      insert into webhooks
        (id, key_root, asset, condition, threshold, granularity, body, language, kinds, datasets, zones, starts_after, url, host, secret,
         verification, created_at)
      select ${id}, ${root}, ${wanted.asset ?? null}, ${wanted.condition ?? null}, ${wanted.threshold ?? null}::float8,
        ${wanted.granularity ?? null}, ${wanted.body ?? 'json'}, ${wanted.language ?? 'en'}, ${wanted.kinds ?? null}::text[], ${wanted.datasets ?? null}::text[], ${wanted.zones ?? null}::text[],
        case when ${kind === 'changes'} then (select position from change_log) end,
        ${url}, ${host}, ${secret}, ${verification}, ${createdAt.toString()}::timestamptz
      where (select count(*) from webhooks where key_root = ${root} and starts_with(id, ${ID_PREFIXES[kind]})) < ${most}::integer`
    if (count === 1 && verification === 'pending')
      await writeChallenge(tx, { webhookId: id, now: createdAt, giveUpAt, requestId, challenge })
    return count === 1
  })
}

/** What of it changes; undefined stays. */
export interface WebhookChange<K extends WebhookKind> {
  wanted: Partial<WebhookSettings[K]>
  /** With the challenge of a receiver whose verification is pending. */
  receiver?: { url: string; host: string; verification: Receiver['verification']; challenge: string } | undefined
}

/** A threshold that changes is evaluated like that of a new alert (a trigger); another receiver has no failures yet. */
export async function updateWebhook<K extends WebhookKind>(
  sql: Sql,
  root: string,
  { wanted, receiver }: WebhookChange<K>,
  asking: CallRequest,
): Promise<void> {
  const {
    threshold,
    body,
    language,
    kinds,
    datasets,
    zones,
  }: Partial<WebhookSettings['alert'] & WebhookSettings['changes']> = wanted
  await sql.begin(async (tx: Transaction) => {
    const { count } = await tx`
      update webhooks set
        threshold = coalesce(${threshold ?? null}::float8, threshold),
        body = coalesce(${body ?? null}, body),
        language = coalesce(${language ?? null}, language),
        kinds = coalesce(${kinds ?? null}::text[], kinds),
        datasets = case when ${datasets === undefined} then datasets else ${datasets ?? null}::text[] end,
        zones = case when ${zones === undefined} then zones else ${zones ?? null}::text[] end,
        url = coalesce(${receiver?.url ?? null}, url),
        host = coalesce(${receiver?.host ?? null}, host),
        verification = coalesce(${receiver?.verification ?? null}, verification),
        consecutive_failures = case when ${receiver === undefined} then consecutive_failures else 0 end
      where key_root = ${root} and id = ${asking.webhookId}`
    if (count === 1 && receiver?.verification === 'pending')
      await writeChallenge(tx, { ...asking, challenge: receiver.challenge })
  })
}

/** Whether the holder has already confirmed calls to this address. */
export async function isVerifiedWebhook(sql: Sql, root: string, url: string): Promise<boolean> {
  const { count } = await sql`
    select from webhooks where key_root = ${root} and url = ${url} and verification = 'verified' limit 1`
  return count > 0
}

/** Ends pending verifications where receivers are no longer verified; mail is sent to confirmed addresses alone. */
export async function waiveVerification(sql: Sql): Promise<void> {
  await sql`update webhooks set verification = 'not_required' where verification = 'pending' and url not like 'mailto:%'`
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

/** With its events, deliveries and attempts. False where there is none. */
export async function deleteWebhook(sql: Sql, root: string, id: string): Promise<boolean> {
  const { count } = await sql`delete from webhooks where key_root = ${root} and id = ${id}`
  return count === 1
}

/** Reactivates the webhook and resets its count of failures; waiting deliveries are due now. */
export async function resumeWebhook(sql: Sql, root: string, id: string, now: Temporal.Instant): Promise<boolean> {
  return sql.begin(async (tx: Transaction) => {
    const { count } = await tx`
      update webhooks set status = 'active', consecutive_failures = 0, suspended_at = null, suspended_because = null
      where key_root = ${root} and id = ${id}`
    await tx`
      update webhook_deliveries set next_attempt_at = least(next_attempt_at, ${now.toString()}::timestamptz)
      where webhook_id = ${id} and status = 'pending' and ${count === 1}`
    return count === 1
  })
}

/** Where an alert or a webhook calls, of any owner. */
export async function findReceiver(sql: Sql, id: string): Promise<string | undefined> {
  const [row] = await sql<{ url: string }[]>`select url from webhooks where id = ${id}`
  return row?.url
}

/** The receiver has agreed: all that its owner has of the same one may call. */
export async function verifyReceiver(sql: Sql, id: string, now: Temporal.Instant): Promise<void> {
  await sql`select verify_webhook(key_root, url, ${now.toString()}::timestamptz) from webhooks where id = ${id}`
}

/** As when a receiver answers 410; who resumes the alert needs a new confirmation. */
export async function stopMail(sql: Sql, id: string, now: Temporal.Instant): Promise<void> {
  await sql`
    update webhooks set status = 'suspended', suspended_at = ${now.toString()}::timestamptz, suspended_because = 'gone', verification = 'pending'
    where id = ${id} and url like 'mailto:%'`
}

/** The current secret becomes the previous one, which also signs until then. */
export async function rotateWebhookSecret(
  sql: Sql,
  root: string,
  id: string,
  { secret, previousUntil }: { secret: string; previousUntil: Temporal.Instant },
): Promise<boolean> {
  const { count } = await sql`
    update webhooks set secret = ${secret}, previous_secret = secret, previous_secret_until = ${previousUntil.toString()}::timestamptz
    where key_root = ${root} and id = ${id}`
  return count === 1
}

/** Every secret at rest with what it belongs to, for a change of the key they are encrypted with. */
export async function resealSecrets(sql: Sql, reseal: (sealed: string, webhookId: string) => string): Promise<number> {
  return sql.begin(async (tx: Transaction) => {
    const rows = await tx<{ id: string; secret: string; previous: string | null }[]>`
      select id, secret, previous_secret as previous from webhooks order by id for update`
    for (const { id, secret, previous } of rows) {
      await tx`
        update webhooks set secret = ${reseal(secret, id)}, previous_secret = ${previous === null ? null : reseal(previous, id)}
        where id = ${id}`
    }
    return rows.length
  })
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
