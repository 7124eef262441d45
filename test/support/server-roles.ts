/**
 * The roles of sql/roles on a server, where roles are shared by all databases: tests apply them one at a time, and roles that a run
 * created are dropped at its end.
 */
import type { RoleName } from '../../src/service/config/config.ts'
import type { Sql } from '../../src/store/database.ts'
import { applyRoles } from '../../src/store/roles.ts'
import { asAdministrator } from './server-databases.ts'

const ROLES: readonly RoleName[] = ['analyst', 'energy_api', 'energy_worker', 'energy_monitor']
/** Comment that distinguishes roles created by tests from those of the server's owner. */
const ROLE_COMMENT = 'made by the tests of energy prices'

export async function applyRolesOnServer(url: string, sql: Sql): Promise<void> {
  await asAdministrator(url, async (administrator) => {
    await lock(administrator)
    const missing = await administrator<{ name: string }[]>`
      select name from unnest(${[...ROLES]}::text[]) as name where to_regrole(name) is null`
    await applyRoles(sql)
    for (const { name } of missing) await administrator.unsafe(`comment on role ${name} is '${ROLE_COMMENT}'`)
  })
}

/** Drops all but the roles that databases of another run still reference; that run will drop them. */
export async function removeRoles(url: string): Promise<void> {
  await asAdministrator(url, async (administrator) => {
    await lock(administrator)
    const unused = await administrator<{ name: string }[]>`
      select rolname as name from pg_roles
      where shobj_description(oid, 'pg_authid') = ${ROLE_COMMENT}
        and not exists (select from pg_shdepend where refclassid = 'pg_authid'::regclass and refobjid = pg_roles.oid)`
    for (const { name } of unused) await administrator.unsafe(`drop role ${name}`)
  })
}

/** Held until the connection ends. Advisory locks are local to a database: all runs take this one in the same database. */
async function lock(administrator: Sql): Promise<void> {
  await administrator`select pg_advisory_lock(hashtext(${ROLE_COMMENT}))`
}
