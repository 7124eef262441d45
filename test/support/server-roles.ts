/**
 * The roles of sql/roles on a server, where they belong to all databases: tests apply them one at a time, and those that were missing
 * are removed when the run is over.
 */
import type { RoleName } from '../../src/service/config/config.ts'
import type { Sql } from '../../src/store/database.ts'
import { applyRoles } from '../../src/store/roles.ts'
import { asAdministrator } from './server-databases.ts'

const ROLES: readonly RoleName[] = ['analyst', 'energy_api', 'energy_worker', 'energy_monitor']
/** Tells roles that tests made from those of the server's owner. */
const MARK = 'made by the tests of energy prices'

export async function applyRolesOnServer(url: string, sql: Sql): Promise<void> {
  await asAdministrator(url, async (administrator) => {
    await lock(administrator)
    const missing = await administrator<{ name: string }[]>`
      select name from unnest(${[...ROLES]}::text[]) as name where to_regrole(name) is null`
    await applyRoles(sql)
    for (const { name } of missing) await administrator.unsafe(`comment on role ${name} is '${MARK}'`)
  })
}

/** But for those that databases of another run still name; it will do the same. */
export async function removeRoles(url: string): Promise<void> {
  await asAdministrator(url, async (administrator) => {
    await lock(administrator)
    const unused = await administrator<{ name: string }[]>`
      select rolname as name from pg_roles
      where shobj_description(oid, 'pg_authid') = ${MARK}
        and not exists (select from pg_shdepend where refclassid = 'pg_authid'::regclass and refobjid = pg_roles.oid)`
    for (const { name } of unused) await administrator.unsafe(`drop role ${name}`)
  })
}

/** Until its connection ends. Advisory locks are a database's own: this one is taken where all tests log in. */
async function lock(administrator: Sql): Promise<void> {
  await administrator`select pg_advisory_lock(hashtext(${MARK}))`
}
