/** The roles of sql/roles: who may do what in the database. Roles belong to the server, so this is no part of the migrations. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sql, Transaction } from './database.ts'
import { scramVerifier } from './scram-verifier.ts'
import { query, SQL_FOLDER } from './sql-files.ts'

const FILES = ['1-roles.sql', '2-public.sql', '3-grants.sql'] as const
const GRANTS = '3-grants.sql'

/** Creates the roles and gives them their rights, in one transaction; any number of times. Needs a superuser or the owner with CREATEROLE. */
export async function applyRoles(sql: Sql): Promise<void> {
  const texts = await Promise.all(FILES.map(textOf))
  await sql.begin(async (tx: Transaction) => {
    await tx`select pg_advisory_xact_lock(hashtext('apply_roles'))`
    for (const text of texts) await tx.unsafe(text).simple()
  })
}

/** Gives rights to what a change of the schema brought, where the roles exist. */
export async function grantAgain(sql: Sql): Promise<void> {
  const [roles] = await sql<{ exist: boolean }[]>`select to_regrole('analyst') is not null as exist`
  if (roles?.exist !== true) return
  const text = await textOf(GRANTS)
  await sql.begin(async (tx: Transaction) => {
    await tx`select pg_advisory_xact_lock(hashtext('apply_roles'))`
    await tx.unsafe(text).simple()
  })
}

/** Sends what the server keeps of a password, never the password. */
export async function setRolePassword(sql: Sql, role: string, password: string): Promise<void> {
  const [statement] = await sql<{ text: string }[]>`
    select format('alter role %I password %L', ${role}::text, ${scramVerifier(password, randomBytes(16))}::text) as text`
  if (statement === undefined) throw new Error('format() gave no row')
  await sql.unsafe(statement.text)
}

/** What the role analyst may still do and should not, a phrase each: where sql/roles/2-public.sql met functions it does not own. */
export async function listAnalystExcesses(sql: Sql): Promise<string[]> {
  const rows = await sql.unsafe<{ excess: string }[]>(query('roles_list_analyst_excesses'))
  return rows.map((row) => row.excess)
}

function textOf(file: string): Promise<string> {
  return readFile(path.join(SQL_FOLDER, 'roles', file), 'utf8')
}
