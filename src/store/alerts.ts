/** Alerts of a holder of keys. Other holders' alerts are invisible here: every statement filters by the root of the key's chain. */
import type { AlertAsset, AlertCondition } from '../api/contract/alerts.ts'
import { writeChallenge } from './alert-events.ts'
import type { Sql, Transaction } from './database.ts'

export interface AlertRecord {
  id: string
  asset: AlertAsset
  condition: AlertCondition
  threshold: number
  webhookUrl: string
  status: 'active' | 'suspended'
  /** `not_required`: created where receivers are not verified. */
  verification: 'not_required' | 'pending' | 'verified'
  consecutiveFailures: number
  createdAt: Temporal.Instant
  suspendedAt: Temporal.Instant | null
  suspendedBecause: 'failures' | 'gone' | null
  ownerNotified: 'pending' | 'sent' | 'failed' | 'not_sent' | null
}

interface NewAlertRecord {
  id: string
  asset: AlertAsset
  condition: AlertCondition
  threshold: number
  webhookUrl: string
  webhookHost: string
  /** Encrypted. */
  secret: string
  createdAt: Temporal.Instant
  verification: AlertRecord['verification']
  /** Sent to a receiver whose verification is pending, until `giveUpAt`. */
  challenge: string
  giveUpAt: Temporal.Instant
  /** Of the request that creates it. */
  requestId: string | undefined
}

/** The first key of the chain that `keyId` belongs to. */
export async function keyRootOf(sql: Sql, keyId: string): Promise<string> {
  const [row] = await sql<{ root: string | null }[]>`select api_key_root(${keyId}) as root`
  if (row?.root == null) throw new Error(`there is no key ${keyId}`)
  return row.root
}

/** With its challenge where one is due. False, and nothing is stored, where the holder has `most` alerts already; concurrent requests cannot exceed it. */
export async function insertAlert(sql: Sql, root: string, alert: NewAlertRecord, most: number): Promise<boolean> {
  return sql.begin(async (tx: Transaction) => {
    await tx`select pg_advisory_xact_lock(hashtext('alerts of ' || ${root}))`
    const { count } = await tx`
      insert into alerts (id, key_root, asset, condition, threshold, webhook_url, webhook_host, secret, verification, created_at)
      select ${alert.id}, ${root}, ${alert.asset}, ${alert.condition}, ${alert.threshold}::float8, ${alert.webhookUrl},
        ${alert.webhookHost}, ${alert.secret}, ${alert.verification}, ${alert.createdAt.toString()}::timestamptz
      where (select count(*) from alerts where key_root = ${root}) < ${most}::integer`
    if (count === 1 && alert.verification === 'pending') {
      const { id: alertId, createdAt: now, giveUpAt, requestId, challenge } = alert
      await writeChallenge(tx, { alertId, now, giveUpAt, requestId, challenge })
    }
    return count === 1
  })
}

/** Whether the holder has already confirmed calls to this address. */
export async function isVerifiedWebhook(sql: Sql, root: string, url: string): Promise<boolean> {
  const { count } = await sql`
    select from alerts where key_root = ${root} and webhook_url = ${url} and verification = 'verified' limit 1`
  return count > 0
}

/** Ends pending verifications where receivers are no longer verified. */
export async function waiveVerification(sql: Sql): Promise<void> {
  await sql`update alerts set verification = 'not_required' where verification = 'pending'`
}

export async function listAlerts(sql: Sql, root: string): Promise<AlertRecord[]> {
  return sql<AlertRecord[]>`select ${columns(sql)} from alerts a where a.key_root = ${root} order by a.created_at, a.id`
}

export async function findAlert(sql: Sql, root: string, id: string): Promise<AlertRecord | undefined> {
  const [row] = await sql<
    AlertRecord[]
  >`select ${columns(sql)} from alerts a where a.key_root = ${root} and a.id = ${id}`
  return row
}

/** With its events, deliveries and attempts. False where there is none. */
export async function deleteAlert(sql: Sql, root: string, id: string): Promise<boolean> {
  const { count } = await sql`delete from alerts where key_root = ${root} and id = ${id}`
  return count === 1
}

/** Reactivates the alert and resets its count of failures; waiting deliveries are due now. */
export async function resumeAlert(sql: Sql, root: string, id: string, now: Temporal.Instant): Promise<boolean> {
  return sql.begin(async (tx: Transaction) => {
    const { count } = await tx`
      update alerts set status = 'active', consecutive_failures = 0, suspended_at = null, suspended_because = null
      where key_root = ${root} and id = ${id}`
    await tx`
      update alert_deliveries set next_attempt_at = least(next_attempt_at, ${now.toString()}::timestamptz)
      where alert_id = ${id} and status = 'pending' and ${count === 1}`
    return count === 1
  })
}

/** The current secret becomes the previous one, which also signs until then. */
export async function rotateAlertSecret(
  sql: Sql,
  root: string,
  id: string,
  { secret, previousUntil }: { secret: string; previousUntil: Temporal.Instant },
): Promise<boolean> {
  const { count } = await sql`
    update alerts set secret = ${secret}, previous_secret = secret, previous_secret_until = ${previousUntil.toString()}::timestamptz
    where key_root = ${root} and id = ${id}`
  return count === 1
}

/** Every secret at rest with the alert it belongs to, for a change of the key they are encrypted with. */
export async function resealSecrets(sql: Sql, reseal: (sealed: string, alertId: string) => string): Promise<number> {
  return sql.begin(async (tx: Transaction) => {
    const rows = await tx<{ id: string; secret: string; previous: string | null }[]>`
      select id, secret, previous_secret as previous from alerts order by id for update`
    for (const { id, secret, previous } of rows) {
      await tx`
        update alerts set secret = ${reseal(secret, id)}, previous_secret = ${previous === null ? null : reseal(previous, id)}
        where id = ${id}`
    }
    return rows.length
  })
}

function columns(sql: Sql) {
  return sql`
    a.id, a.asset, a.condition, a.threshold, a.webhook_url as "webhookUrl", a.status, a.verification,
    a.consecutive_failures as "consecutiveFailures", a.created_at as "createdAt", a.suspended_at as "suspendedAt",
    a.suspended_because as "suspendedBecause",
    case when a.status = 'suspended' then coalesce((
      select e.status from emails e
      where e.kind = 'alert_suspended' and e.subject_id = a.id and e.created_at >= a.suspended_at
      order by e.id desc limit 1
    ), 'pending') end as "ownerNotified"`
}
