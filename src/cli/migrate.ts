/**
 * `npm run db:migrate`: brings the configured database up to date with sql/, creates the queue's tables, and prints what was done.
 * With `--check` it changes nothing and fails if anything is pending.
 */
import { parseArgs } from 'node:util'
import { createQueueTables } from '../platform/queue/queue.ts'
import { readConfig } from '../service/config/config.ts'
import { openOrJoinDatabase } from '../service/open-database.ts'
import { connectDatabase } from '../store/database.ts'
import { assertMigrated, migrate } from '../store/migrate.ts'
import { assertTimescale } from '../store/timescale.ts'
import { runCommand } from './command.ts'
import { print } from './print.ts'

const USAGE = `usage:
  npm run db:migrate               brings the database up to date
  npm run db:migrate -- --check    changes nothing, and fails where something is to be done`

await runCommand(async () => {
  const { check } = parseArgs({ options: { check: { type: 'boolean' } } }).values
  await using stack = new AsyncDisposableStack()
  const location = await openOrJoinDatabase(readConfig(process.env))
  if (location.engine !== undefined) stack.use(location.engine)
  const database = stack.use(connectDatabase(location))
  if (check) {
    await assertMigrated(database)
    print('the database is up to date')
    return 0
  }
  await assertTimescale(database)
  await createQueueTables(location.url)
  const { applied, objectsApplied } = await migrate(database)
  for (const name of applied) print(`applied ${name}`)
  if (objectsApplied) print('applied functions and views of sql/objects')
  if (applied.length === 0 && !objectsApplied) print('nothing to do: the database is up to date')
  return 0
}, USAGE)
