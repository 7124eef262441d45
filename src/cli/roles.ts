/** `npm run db:roles`: creates the roles of sql/roles with their rights and the configured passwords. */
import { parseArgs } from 'node:util'
import { readConfig } from '../service/config/config.ts'
import { openOrJoinDatabase } from '../service/open-database.ts'
import { connectDatabase } from '../store/database.ts'
import { assertMigrated } from '../store/migrate.ts'
import { applyRoles, listAnalystExcesses, setRolePassword } from '../store/roles.ts'
import { runCommand } from './command.ts'
import { print, printError } from './print.ts'

const USAGE = 'usage: npm run db:roles    creates the roles of sql/roles; passwords come from the environment'

await runCommand(async () => {
  parseArgs()
  await using stack = new AsyncDisposableStack()
  const config = readConfig(process.env)
  const location = await openOrJoinDatabase(config)
  if (location.engine !== undefined) stack.use(location.engine)
  const database = stack.use(connectDatabase({ url: location.url, onNotice: (text) => printError(text) }))
  await assertMigrated(database)
  await applyRoles(database.sql)
  print('applied the roles of sql/roles')
  for (const [role, password] of Object.entries(config.database.rolePasswords)) {
    await setRolePassword(database.sql, role, password.reveal())
    print(`set the password of ${role}`)
  }
  const excesses = await listAnalystExcesses(database.sql)
  for (const excess of excesses) printError(`analyst ${excess}: a superuser can take it away (sql/roles/2-public.sql)`)
  return excesses.length === 0 ? 0 : 1
}, USAGE)
