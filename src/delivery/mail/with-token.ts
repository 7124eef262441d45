import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import type { Sql } from '../../store/database.ts'
import type { DueEmail } from '../../store/emails.ts'
import { attachToken, TOKEN_PLACE } from '../../store/key-requests.ts'
import { CONFIRMATION_HOURS, makeConfirmationToken } from './confirmation-token.ts'

/** The text of a confirmation with a token made for it now; only its hash is stored. Undefined where its request is over. */
export async function withToken(
  { subjectId, body }: DueEmail,
  { sql, clock }: { sql: Sql; clock: Clock },
): Promise<string | undefined> {
  const token = makeConfirmationToken(randomBytes)
  const now = clock.now()
  const expiresAt = now.add({ hours: CONFIRMATION_HOURS })
  const isAttached = await attachToken(sql, subjectId, { tokenSha256: hash('sha256', token), expiresAt, now })
  return isAttached ? body.replace(TOKEN_PLACE, token) : undefined
}
