/**
 * `npm run move -- --to <address>`: moves a database with everything in it into an empty one. An address is a server's
 * (`postgres://…`) or the data folder of an embedded database; `--from` defaults to the configured database.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { secretsKeyFile } from '../delivery/webhooks/open-secret-box.ts'
import { counted } from '../market/counted.ts'
import { connectionStringFor, startEngine } from '../platform/engine/engine.ts'
import { createQueueTables } from '../platform/queue/queue.ts'
import { type Config, readConfig } from '../service/config/config.ts'
import { engineFolder } from '../service/open-database.ts'
import { connectDatabase, type Database } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { type MovedTable, moveDatabase } from '../store/move/move-database.ts'
import { assertTimescale } from '../store/timescale.ts'
import { runCommand, UsageError } from './command.ts'
import { print } from './print.ts'

const USAGE = `usage:
  npm run move -- --to <address>                    from the configured database
  npm run move -- --from <address> --to <address>
An address is postgres://… or the data folder of an embedded database.`

/** The source waits, inside its transaction, while the target computes the digest of a large table. */
const IDLE_IN_TRANSACTION_MS = 60 * 60_000
/** All work uses one connection; postgres.js may still be releasing it when the next is requested. */
const POOL_SIZE = 2

await runCommand(async () => {
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env })
  const { from, to } = readAddresses(config)
  await using stack = new AsyncDisposableStack()
  const source = await open(from, stack)
  const target = await open(to, stack)

  const moved = await moveDatabase({
    source: source.database,
    target: target.database,
    onTable: ({ name, rows, sum }) => print(`${name}: ${counted(rows, 'row')}, digest ${sum}`),
    onStored: () =>
      print(
        'everything is in the target; its aggregates are made now, or by the first start of the service if this ends',
      ),
    async prepare(database) {
      await assertTimescale(database)
      await createQueueTables(target.url)
      await migrate(database)
    },
  })
  print(
    `moved ${counted(rowsOf(moved), 'row')} of ${moved.length} tables; source and target compared, the ledger recomputed`,
  )
  print(...nextSteps(from, to))
  return 0
}, USAGE)

function readAddresses(config: Config): { from: string; to: string } {
  const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } })
  const { from = config.database.url?.reveal() ?? config.database.dataDir, to } = values
  if (to === undefined) throw new UsageError(USAGE)
  for (const address of [from, to])
    if (address.includes('://') && !isServer(address))
      throw new UsageError(`An address with a scheme must start with postgres://.\n${USAGE}`)
  if (!isServer(from) && !existsSync(engineFolder(path.resolve(from))))
    throw new UsageError(`There is no embedded database in ${from}.`)
  const same = isServer(from) ? from === to : !isServer(to) && path.resolve(from) === path.resolve(to)
  if (same) throw new UsageError('Source and target are the same database.')
  return { from, to }
}

function isServer(address: string): boolean {
  return /^postgres(ql)?:\/\//.test(address)
}

/** An embedded database in use by a service is refused (EngineInUse). */
async function open(address: string, stack: AsyncDisposableStack): Promise<{ url: string; database: Database }> {
  const url = isServer(address) ? address : await startEmbedded(address, stack)
  return { url, database: stack.use(connectDatabase({ url, poolSize: POOL_SIZE })) }
}

async function startEmbedded(folder: string, stack: AsyncDisposableStack): Promise<string> {
  const engine = await startEngine({
    dataDir: engineFolder(path.resolve(folder)),
    purpose: 'command',
    idleInTransactionMs: IDLE_IN_TRANSACTION_MS,
  })
  stack.use(engine)
  return connectionStringFor(engine.address)
}

function rowsOf(tables: readonly MovedTable[]): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

/** Returns the steps outside the database that are left to the operator. */
function nextSteps(from: string, to: string): string[] {
  const keyFile = isServer(from) ? undefined : secretsKeyFile(path.resolve(from))
  return [
    isServer(to)
      ? 'Next: set DATABASE_URL, run `npm run db:roles` where the server has roles, start the service.'
      : `Next: start the service with DATA_DIR=${path.resolve(to)} and without DATABASE_URL.`,
    ...(keyFile !== undefined && existsSync(keyFile)
      ? [`The secrets of webhooks stay encrypted with the key in ${keyFile}: name it as SECRETS_KEY_FILE.`]
      : ['The secrets of webhooks stay encrypted with the same SECRETS_KEY.']),
  ]
}
