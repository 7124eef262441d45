/** Outbox of e-mails to key owners, and to people who request a key (`key-requests.ts`). */
import type { Sql, Transaction } from './database.ts'
import { run } from './run.ts'

export interface SuspendedWebhook {
  id: string
  /** For alerts only, like the next two. */
  asset: string | null
  condition: string | null
  threshold: number | null
  host: string
  consecutiveFailures: number
  suspendedAt: Temporal.Instant
  suspendedBecause: 'failures' | 'gone'
  /** E-mail address of the holder of the newest valid key, if there is one. */
  email: string | null
}

/** Suspended alerts and webhooks whose owner has not been notified of the suspension. */
export async function listUnnotifiedSuspensions(
  sql: Sql | Transaction,
  now: Temporal.Instant,
): Promise<SuspendedWebhook[]> {
  return sql<SuspendedWebhook[]>`
    select w.id, w.asset, w.condition, w.threshold, w.host, w.consecutive_failures as "consecutiveFailures",
      w.suspended_at as "suspendedAt", w.suspended_because as "suspendedBecause",
      api_key_email_of_root(w.key_root, ${now}::timestamptz) as email
    from webhooks w
    where w.status = 'suspended' and not exists (
      select from emails e where e.kind = 'alert_suspended' and e.subject_id = w.id and e.created_at >= w.suspended_at
    )
    order by w.suspended_at, w.id
    for update of w skip locked`
}

interface NewEmail {
  kind: 'alert_suspended'
  subjectId: string
  /** Undefined: there is no address; the message is stored anyway. */
  recipient: string | undefined
  subject: string
  body: string
  createdAt: Temporal.Instant
}

export async function insertEmail(sql: Sql | Transaction, email: NewEmail): Promise<void> {
  const sendable = email.recipient !== undefined
  await run(sql, (db) =>
    db.insertInto('emails').values({
      kind: email.kind,
      subject_id: email.subjectId,
      recipient: email.recipient ?? null,
      subject: email.subject,
      body: email.body,
      status: sendable ? 'pending' : 'not_sent',
      created_at: email.createdAt,
      next_attempt_at: sendable ? email.createdAt : null,
      problem: sendable ? null : 'no mail server or no address',
    }),
  )
}

export interface DueEmail {
  id: number
  kind: 'alert_suspended' | 'key_confirmation'
  subjectId: string
  recipient: string
  subject: string
  body: string
  attempts: number
}

/** Returns due messages and postpones them, so that no other worker sends them too. */
export async function claimDueEmails(
  sql: Sql,
  { now, until, maxCount }: { now: Temporal.Instant; until: Temporal.Instant; maxCount: number },
): Promise<DueEmail[]> {
  return sql<DueEmail[]>`
    update emails e set next_attempt_at = ${until}::timestamptz
    from (
      select id from emails where status = 'pending' and next_attempt_at <= ${now}::timestamptz
      order by next_attempt_at limit ${maxCount} for update skip locked
    ) due
    where e.id = due.id
    returning e.id, e.kind, e.subject_id as "subjectId", e.recipient, e.subject, e.body, e.attempts`
}

export async function recordEmailSent(sql: Sql, id: number, at: Temporal.Instant): Promise<void> {
  await run(sql, (db) =>
    db
      .updateTable('emails')
      .set((eb) => ({
        status: 'sent',
        attempts: eb('attempts', '+', 1),
        sent_at: at,
        next_attempt_at: null,
        problem: null,
      }))
      .where('id', '=', id),
  )
}

/** `nextAt` undefined: no further attempt is made. */
export async function recordEmailFailed(
  sql: Sql,
  id: number,
  { problem, nextAt }: { problem: string; nextAt: Temporal.Instant | undefined },
): Promise<void> {
  await run(sql, (db) =>
    db
      .updateTable('emails')
      .set((eb) => ({
        attempts: eb('attempts', '+', 1),
        problem,
        status: nextAt === undefined ? 'failed' : 'pending',
        next_attempt_at: nextAt ?? null,
      }))
      .where('id', '=', id),
  )
}
