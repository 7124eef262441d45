/** `npm run db:migrate`: brings the configured database to the head of sql/ and says what was done. */
import { readConfig } from '../config/config.ts'
import { openOrJoinDatabase } from '../open-database.ts'
import { connectDatabase } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { runCommand } from './command.ts'

await runCommand(async () => {
  await using stack = new AsyncDisposableStack()
  const location = await openOrJoinDatabase(readConfig(process.env))
  if (location.engine !== undefined) stack.use(location.engine)
  const { applied, objectsApplied } = await migrate(stack.use(connectDatabase(location)))
  for (const name of applied) console.log(`applied ${name}`)
  if (objectsApplied) console.log('applied functions and views of sql/objects')
  if (applied.length === 0 && !objectsApplied) console.log('nothing to do: the database is up to date')
  return 0
})
