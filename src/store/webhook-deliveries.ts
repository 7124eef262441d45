/** The outbox of webhooks: due deliveries, claimed by one worker at a time, and their outcome. */
import type {
  AlertAsset,
  AlertBodyForm,
  AlertCondition,
  AlertGranularity,
  AlertLanguage,
} from '../api/contract/alerts.ts'
import type { AttemptOutcome, WebhookEventKind } from '../api/contract/webhooks.ts'
import type { StoredChange } from './changes.ts'
import type { Sql } from './database.ts'
import { run } from './run.ts'
import { query } from './sql-files.ts'

const CLAIM_DUE = query<ClaimedDelivery>('webhook_deliveries_claim_due')

export interface ClaimedDelivery {
  deliveryId: string
  /** Id of the originating request or job. */
  requestId: string | null
  attempts: number
  giveUpAt: Temporal.Instant
  eventId: string
  kind: WebhookEventKind
  day: string | null
  price: number | null
  /** For an hourly alert. */
  hours: Temporal.Instant[] | null
  /** Same as in `changes`. */
  change: StoredChange | null
  /** Identifies the change log. */
  logId: string
  /** For a verification. */
  challenge: string | null
  triggeredAt: Temporal.Instant
  webhookId: string
  /** The alert's index or market; null for a change webhook. */
  asset: AlertAsset | null
  condition: AlertCondition
  threshold: number
  granularity: AlertGranularity
  body: AlertBodyForm
  language: AlertLanguage
  url: string
  host: string
  /** Encrypted. */
  secret: string
  previousSecret: string | null
}

interface Claim {
  now: Temporal.Instant
  claimedUntil: Temporal.Instant
  maxCount: number
  maxPerHost: number
  /** In place of `maxPerHost` for mail. */
  maxMails: number
  busyHosts: readonly string[]
}

export async function claimDueDeliveries(sql: Sql, claim: Claim): Promise<ClaimedDelivery[]> {
  const { now, claimedUntil, maxCount, maxPerHost, maxMails, busyHosts } = claim
  return CLAIM_DUE(sql, now, claimedUntil, maxCount, maxPerHost, busyHosts as string[], maxMails)
}

export interface RecordedAttempt {
  deliveryId: string
  startedAt: Temporal.Instant
  durationMs: number
  outcome: AttemptOutcome
  statusCode: number | undefined
  detail: string | undefined
  /** Undefined after the last attempt, and after a successful one. */
  nextAttemptAt: Temporal.Instant | undefined
}

export interface AttemptEffect {
  deliveryId: string
  /** `suspended`: this attempt suspended the webhook. `deleted`: the webhook was deleted in the meantime. */
  effect: 'delivered' | 'failed' | 'suspended' | 'deleted'
}

/** Records all attempts in one transaction, in the order given. */
export async function recordAttempts(
  sql: Sql,
  attempts: readonly RecordedAttempt[],
  { now, failuresMax }: { now: Temporal.Instant; failuresMax: number },
): Promise<AttemptEffect[]> {
  return sql<AttemptEffect[]>`
    select i."deliveryId",
      record_webhook_attempt(
        i."deliveryId", i."startedAt", i."durationMs", i.outcome, i."statusCode", i.detail, i."nextAttemptAt", ${failuresMax}::integer,
        ${now}::timestamptz
      ) as effect
    from jsonb_to_recordset(${JSON.stringify(attempts)}::text::jsonb) as i (
      "deliveryId" text, "startedAt" timestamptz, "durationMs" integer, outcome text, "statusCode" integer, detail text,
      "nextAttemptAt" timestamptz
    )`
}

/** Returns when the next unclaimed delivery is due; undefined if none is waiting. */
export async function nextDueAt(sql: Sql): Promise<Temporal.Instant | undefined> {
  const [row] = await sql<{ at: Temporal.Instant | null }[]>`
    select min(greatest(d.next_attempt_at, coalesce(d.claimed_until, d.next_attempt_at))) as at
    from webhook_deliveries d
    join webhooks w on w.id = d.webhook_id
    join webhook_events e on e.id = d.event_id
    where d.status = 'pending' and webhook_may_call(e.kind, w.status, w.verification)`
  return row?.at ?? undefined
}

/** Marks expired deliveries as failed, such as those of a webhook that stayed suspended. Returns how many. */
export async function failExpiredDeliveries(sql: Sql, now: Temporal.Instant): Promise<number> {
  const { count } = await run(sql, (db) =>
    db
      .updateTable('webhook_deliveries')
      .set({ status: 'failed', next_attempt_at: null, claimed_until: null, finished_at: now })
      .where('status', '=', 'pending')
      .where('give_up_at', '<', now)
      .where(({ eb, or }) => or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', now)])),
  )
  return count
}

/** Releases the claims of a worker that has ended. Call it only if no other worker can be running. */
export async function releaseClaims(sql: Sql): Promise<void> {
  await run(sql, (db) =>
    db
      .updateTable('webhook_deliveries')
      .set({ claimed_until: null })
      .where('status', '=', 'pending')
      .where('claimed_until', 'is not', null),
  )
}
