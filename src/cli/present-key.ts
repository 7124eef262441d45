/** Issued keys as the command shows them: a table for people, objects for programs. Neither contains the key itself. */
import type { ApiKeyRecord } from '../store/api-keys.ts'

export function keyTable(keys: ApiKeyRecord[], now: Temporal.Instant): string[] {
  const rows = [
    ['id', 'hint', 'plan', 'owner', 'email', 'state'],
    ...keys.map((key) => [key.id, key.hint, key.plan, key.owner, key.email ?? '-', stateText(key, now)]),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** A key for programs that read `--json`. */
export function presentKey(key: ApiKeyRecord, now: Temporal.Instant) {
  return {
    id: key.id,
    hint: key.hint,
    plan: key.plan,
    owner: key.owner,
    email: key.email,
    state: stateOf(key, now),
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    rotated_from: key.rotatedFrom,
    requests_per_minute: key.requestsPerMinute,
    requests_per_month: key.requestsPerMonth,
    attribution: key.attribution,
  }
}

function stateOf(key: ApiKeyRecord, now: Temporal.Instant): 'active' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked'
  return key.expiresAt !== null && Temporal.Instant.compare(key.expiresAt, now) <= 0 ? 'expired' : 'active'
}

function stateText(key: ApiKeyRecord, now: Temporal.Instant): string {
  const state = stateOf(key, now)
  if (state === 'revoked') return `revoked ${key.revokedAt?.round('second')}`
  if (key.expiresAt === null) return state
  return `${state === 'expired' ? 'expired' : 'active until'} ${key.expiresAt.round('second')}`
}
