/** Requests for a Developer key, from the form to the key. Keys are written by `sql/objects/developer_keys.sql`. */
import type { Sql } from './database.ts'
import { run } from './run.ts'

/** Placeholder for the token in a stored mail, filled in when the mail is sent. */
export const TOKEN_PLACEHOLDER = '{token}'

interface KeyRequest {
  /** As entered. */
  email: string
  /** The mailbox, in normalised spelling. */
  holder: string
  mail: { subject: string; body: string }
  expiresAt: Temporal.Instant
  now: Temporal.Instant
}

/** Stores the request and its mail. */
export async function insertKeyRequest(sql: Sql, { email, holder, mail, expiresAt, now }: KeyRequest): Promise<void> {
  await sql`
    select request_developer_key(
      ${email}, ${holder}, ${mail.subject}, ${mail.body}, ${expiresAt}::timestamptz, ${now}::timestamptz
    )`
}

/** Sets the hash of the request's token, which invalidates an earlier one. Returns false if the request has ended. */
export async function attachToken(
  sql: Sql,
  id: string,
  { tokenSha256, expiresAt, now }: { tokenSha256: string; expiresAt: Temporal.Instant; now: Temporal.Instant },
): Promise<boolean> {
  const { count } = await run(sql, (db) =>
    db
      .updateTable('key_requests')
      .set({ token_sha256: tokenSha256, expires_at: expiresAt })
      .where('id', '=', Number(id))
      .where('used_at', 'is', null)
      .where('expires_at', '>', now),
  )
  return count === 1
}

/** Whether a token could be confirmed now; does not consume it. */
export async function isTokenGood(sql: Sql, tokenSha256: string, now: Temporal.Instant): Promise<boolean> {
  const rows = await run(sql, (db) =>
    db
      .selectFrom('key_requests')
      .select('id')
      .where('token_sha256', '=', tokenSha256)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now),
  )
  return rows.length === 1
}

interface ConfirmedKey {
  id: string
  sha256: string
  hint: string
}

/** Consumes the token and issues the key; does nothing and returns undefined if the token is not valid. */
export async function confirmKeyRequest(
  sql: Sql,
  tokenSha256: string,
  { id, sha256, hint }: ConfirmedKey,
  now: Temporal.Instant,
): Promise<'issued' | 'replaced' | undefined> {
  const [row] = await sql<{ outcome: 'issued' | 'replaced' | null }[]>`
    select confirm_developer_key(
      ${tokenSha256}, ${id}, ${sha256}, ${hint}, ${now}::timestamptz
    ) as outcome`
  return row?.outcome ?? undefined
}

/** Deletes requests that ended before that instant, with their mails; returns how many. */
export async function deleteEndedKeyRequests(sql: Sql, before: Temporal.Instant): Promise<number> {
  const { count } = await sql`
    with swept as (
      delete from key_requests where least(expires_at, used_at) <= ${before}::timestamptz returning id
    ),
    mails as (
      delete from emails where kind = 'key_confirmation' and subject_id in (select id::text from swept)
    )
    select from swept`
  return count
}
