/** Sends due e-mails from the outbox. A failed message is retried with increasing delays for two days. */

import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import type { Sql } from '../../store/database.ts'
import { claimDueEmails, type DueEmail, recordEmailFailed, recordEmailSent } from '../../store/emails.ts'
import { attachToken, TOKEN_PLACEHOLDER } from '../../store/key-requests.ts'
import { CONFIRMATION_HOURS, makeConfirmationToken } from './confirmation-token.ts'
import { type Mailer, mailProblem } from './mailer.ts'

const BATCH = 20
const CLAIM_MINUTES = 5
const RETRY_DELAYS_MINUTES = [1, 10, 60, 360, 1080, 1440]

interface SendDueOptions {
  sql: Sql
  clock: Clock
  mailer: Mailer
  signal: AbortSignal
}

/** Returns the number of messages sent. A message may be sent twice if the process dies between sending and recording. */
export async function sendDueEmails({ sql, clock, mailer, signal }: SendDueOptions): Promise<number> {
  let sent = 0
  while (!signal.aborted) {
    const now = clock.now()
    const due = await claimDueEmails(sql, { now, until: now.add({ minutes: CLAIM_MINUTES }), maxCount: BATCH })
    if (due.length === 0) break
    for (const email of due) sent += (await sendOne(email, { sql, clock, mailer })) ? 1 : 0
  }
  return sent
}

async function sendOne(email: DueEmail, { sql, clock, mailer }: Omit<SendDueOptions, 'signal'>): Promise<boolean> {
  const text = email.kind === 'key_confirmation' ? await confirmationText(email, { sql, clock }) : email.body
  if (text === undefined) {
    await recordEmailFailed(sql, email.id, { problem: 'the request it confirms is over', nextAt: undefined })
    return false
  }
  try {
    await mailer.send({ to: email.recipient, subject: email.subject, text })
  } catch (err) {
    const wait = RETRY_DELAYS_MINUTES[email.attempts]
    const nextAt = wait === undefined ? undefined : clock.now().add({ minutes: wait })
    await recordEmailFailed(sql, email.id, { problem: mailProblem(err), nextAt })
    return false
  }
  await recordEmailSent(sql, email.id, clock.now())
  return true
}

/** Returns the text of a confirmation with a new token; only its hash is stored. Undefined if the request is over. */
export async function confirmationText(
  { subjectId, body }: DueEmail,
  { sql, clock }: { sql: Sql; clock: Clock },
): Promise<string | undefined> {
  const token = makeConfirmationToken(randomBytes)
  const now = clock.now()
  const expiresAt = now.add({ hours: CONFIRMATION_HOURS })
  const isAttached = await attachToken(sql, subjectId, { tokenSha256: hash('sha256', token), expiresAt, now })
  return isAttached ? body.replace(TOKEN_PLACEHOLDER, token) : undefined
}
