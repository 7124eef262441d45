/** API keys in the database. Each change also raises key_version, which makes every process clear its cache of keys. */
import type { PlanName } from '../api/contract/plans.ts'
import type { Sql, Transaction } from './database.ts'

export type KeyedPlan = Exclude<PlanName, 'Open'>

export interface ApiKeyRecord {
  id: string
  hint: string
  plan: KeyedPlan
  owner: string
  email: string | null
  /** Limits that replace the plan's; null if the plan's apply. */
  requestsPerMinute: number | null
  requestsPerMonth: number | null
  /** White-label attribution in place of the service's own. */
  attribution: string | null
  createdAt: Temporal.Instant
  expiresAt: Temporal.Instant | null
  revokedAt: Temporal.Instant | null
  rotatedFrom: string | null
  /** The first key of its rotation chain. Limits and usage are counted by it; it owns webhooks and exports to order. */
  root: string
}

export type NewApiKey = Omit<ApiKeyRecord, 'expiresAt' | 'revokedAt' | 'root'> & { sha256: string }

export async function insertApiKey(sql: Sql | Transaction, key: NewApiKey): Promise<void> {
  await sql`
    with issued as (
      insert into api_keys
        (id, sha256, hint, plan, owner, email, requests_per_minute, requests_per_month, attribution, created_at, rotated_from)
      values (
        ${key.id}, ${key.sha256}, ${key.hint}, ${key.plan}, ${key.owner}, ${key.email}, ${key.requestsPerMinute},
        ${key.requestsPerMonth}, ${key.attribution}, ${key.createdAt}::timestamptz, ${key.rotatedFrom}
      )
    )
    update key_version set version = version + 1`
}

export async function findApiKeyByHash(sql: Sql, sha256: string): Promise<ApiKeyRecord | undefined> {
  const [row] = await sql<ApiKeyRecord[]>`select ${columns(sql)} from api_keys where sha256 = ${sha256}`
  return row
}

export async function findApiKey(sql: Sql | Transaction, id: string): Promise<ApiKeyRecord | undefined> {
  const [row] = await sql<ApiKeyRecord[]>`select ${columns(sql)} from api_keys where id = ${id}`
  return row
}

export async function listApiKeys(sql: Sql): Promise<ApiKeyRecord[]> {
  return sql<ApiKeyRecord[]>`select ${columns(sql)} from api_keys order by created_at, id`
}

/**
 * Replaces a valid key with a successor that has the same holder, plan and limits. The old key stays valid until `oldExpiresAt` or its own
 * earlier end; returns that instant. Does nothing and returns undefined if there is no such key, if it is revoked or expired when the
 * successor is created, or, with `once`, if it has been replaced already.
 */
export async function rotateApiKey(
  sql: Sql,
  oldId: string,
  oldExpiresAt: Temporal.Instant,
  { id, sha256, hint, createdAt }: Pick<NewApiKey, 'id' | 'sha256' | 'hint' | 'createdAt'>,
  { once = false } = {},
): Promise<Temporal.Instant | undefined> {
  const [row] = await sql<{ until: Temporal.Instant | null }[]>`
    select rotate_api_key(
      ${oldId}, ${oldExpiresAt}::timestamptz, ${id}, ${sha256}, ${hint}, ${createdAt}::timestamptz, ${once}
    ) as until`
  return row?.until ?? undefined
}

/** Returns false if there is no such key. A key that is already revoked keeps its first date. */
export async function revokeApiKey(sql: Sql, id: string, at: Temporal.Instant): Promise<boolean> {
  return sql.begin(async (tx: Transaction) => {
    const [key] = await tx<{ revokedAt: Temporal.Instant | null }[]>`
      select revoked_at as "revokedAt" from api_keys where id = ${id} for update`
    if (key === undefined) return false
    await tx`
      with revoked as (
        update api_keys set revoked_at = coalesce(revoked_at, ${at}::timestamptz) where id = ${id}
      )
      update key_version set version = version + 1`
    // Last in the transaction: other writers of changes wait for its commit.
    if (key.revokedAt === null) await tx`select record_key_change('key.revoked', ${id}, '{}', ${at}::timestamptz)`
    return true
  })
}

function columns(sql: Sql | Transaction) {
  return sql`
    id, hint, plan, owner, email, requests_per_minute as "requestsPerMinute", requests_per_month as "requestsPerMonth",
    attribution, created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt", rotated_from as "rotatedFrom",
    api_key_root(id) as root`
}
