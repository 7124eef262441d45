/** The roles of sql/roles: who may do what in the database. Roles belong to the server, so they are not part of the migrations. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import type { Sql, Transaction } from './database.ts'
import { queryText, SQL_FOLDER } from './sql-files.ts'

const FILES = ['0-locks.sql', '1-roles.sql', '2-public.sql', '3-grants.sql', '4-end-session.sql'] as const
const GRANTS = ['0-locks.sql', '3-grants.sql'] as const

const DEADLOCK = '40P01'
const LOCK_NOT_AVAILABLE = '55P03'

/** With a running service, the command gives up its locks after this wait, before the server aborts either of the two as a deadlock. */
const LOCK_TIMEOUT_MS = 300
const PAUSE_MS = 100
const TRY_FOR_MS = 60_000
/** PostgreSQL's own default for SCRAM. */
const ITERATIONS = 4096

/** Creates the roles and grants their privileges in one transaction; idempotent. Requires a superuser, or the owner with CREATEROLE. */
export async function applyRoles(sql: Sql): Promise<void> {
  await applyFiles(sql, FILES)
}

/** Grants privileges on new objects after a schema change, if the roles exist. */
export async function reapplyGrants(sql: Sql): Promise<void> {
  const [roles] = await sql<{ exist: boolean }[]>`select to_regrole('analyst') is not null as exist`
  if (roles?.exist !== true) return
  await applyFiles(sql, GRANTS)
}

async function applyFiles(sql: Sql, files: readonly string[]): Promise<void> {
  const texts = await Promise.all(files.map((file) => readFile(path.join(SQL_FOLDER, 'roles', file), 'utf8')))
  const deadline = performance.now() + TRY_FOR_MS
  for (;;) {
    try {
      await sql.begin(async (tx: Transaction) => {
        await tx`select pg_advisory_xact_lock(hashtext('apply_roles'))`
        await tx.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
        for (const text of texts) await tx.unsafe(text).simple()
      })
      return
    } catch (err) {
      if (performance.now() > deadline || !isConcurrencyError(err)) throw err
    }
    await sleep(PAUSE_MS * Math.random())
  }
}

/** The server has no specific error code for a concurrent update of a catalogue row. */
function isConcurrencyError(err: unknown): boolean {
  if (!(err instanceof postgres.PostgresError)) return false
  return err.code === DEADLOCK || err.code === LOCK_NOT_AVAILABLE || err.message === 'tuple concurrently updated'
}

/** Sets a password by sending its verifier, never the password itself. */
export async function setRolePassword(sql: Sql, role: string, password: string): Promise<void> {
  const [statement] = await sql<{ text: string }[]>`
    select format('alter role %I password %L', ${role}::text, ${scramVerifier(password, randomBytes(16))}::text) as text`
  if (statement === undefined) throw new Error('format() gave no row')
  await sql.unsafe(statement.text)
}

/**
 * Returns PostgreSQL's stored form of a password under SCRAM-SHA-256 (RFC 5802, RFC 7677), so that the password itself appears neither in its log
 * nor in a dump: `SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>`. For passwords of visible ASCII, which SASLprep leaves unchanged.
 */
export function scramVerifier(password: string, salt: Buffer): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const clientKey = createHmac('sha256', salted).update('Client Key').digest()
  const storedKey = createHash('sha256').update(clientKey).digest('base64')
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}

/** Returns privileges that the role analyst has but should not, one phrase each, such as those that sql/roles/2-public.sql cannot revoke. */
export async function listAnalystExcesses(sql: Sql): Promise<string[]> {
  const rows = await sql.unsafe<{ excess: string }[]>(queryText('roles_list_analyst_excesses'))
  return rows.map((row) => row.excess)
}
