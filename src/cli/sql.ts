/**
 * `npm run sql [-- <parameters of psql>]`: psql, or a small prompt where psql is absent, as the role analyst on a copy of the embedded
 * database, made while nothing is written and deleted at the end. Where a server for analysts is configured, on that.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { connectionStringFor, startEngine } from '../platform/engine/engine.ts'
import { type Config, readConfig } from '../service/config/config.ts'
import { engineFolder, openOrJoinDatabase } from '../service/open-database.ts'
import { connectDatabase } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { applyRoles } from '../store/roles.ts'
import { runCommand, UsageError } from './command.ts'
import { runSqlPrompt } from './sql-prompt.ts'

/** Loading a library takes a superuser, so a function of the copy does it. */
const LOADER = 'analytics.load_timescaledb()'
const CREATE_LOADER = `
  create function ${LOADER} returns void language plpgsql security definer set search_path = pg_catalog
  as 'begin load ''timescaledb''; end'`

const ANALYST = {
  user: 'analyst',
  settings: `
    set search_path = analytics;
    set timezone = 'Europe/Rome';
    set default_transaction_read_only = on;`,
  load: `select ${LOADER}`,
}

await runCommand(async () => {
  await using stack = new AsyncDisposableStack()
  const config = readConfig(process.env)
  const { analystUrl, url } = config.database
  if (analystUrl !== undefined) return await openClient(analystUrl.reveal())
  if (url !== undefined)
    throw new UsageError('DATABASE_URL is a server: set ANALYST_DATABASE_URL, or use psql as the role analyst')

  const folder = await mkdtemp(path.join(os.tmpdir(), 'energy-prices-sql-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  await copyDatabase(config, folder)
  await prepareRole(folder)
  const engine = stack.use(await startEngine({ dataDir: folder, purpose: 'command', durable: false, login: ANALYST }))
  return await openClient(connectionStringFor(engine.address))
})

async function prepareRole(folder: string): Promise<void> {
  await using engine = await startEngine({ dataDir: folder, purpose: 'command', durable: false })
  await using database = connectDatabase({ url: connectionStringFor(engine.address), poolSize: 1 })
  await applyRoles(database.sql)
  await database.sql.unsafe(CREATE_LOADER)
}

/** While the transaction is open no other statement runs, so the files do not change; the copy recovers as after a crash. */
async function copyDatabase(config: Config, folder: string): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const location = await openOrJoinDatabase(config)
  if (location.engine !== undefined) stack.use(location.engine)
  const database = stack.use(connectDatabase({ url: location.url, poolSize: 1 }))
  if (location.engine !== undefined) await migrate(database)
  await database.sql`checkpoint`
  await database.sql.begin(async (tx) => {
    await tx`select 1`
    await cp(path.join(engineFolder(config.database.dataDir), 'pgdata'), path.join(folder, 'pgdata'), {
      recursive: true,
    })
  })
}

async function openClient(address: string): Promise<number> {
  const parameters = process.argv.slice(2)
  if (spawnSync('psql', ['--version']).status !== 0) return await runSqlPrompt(address)
  const child = spawn('psql', [address, ...parameters], { stdio: 'inherit' })
  // Ctrl-C is for the statement that psql runs, not for this process.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  const [status] = (await once(child, 'exit')) as [number | null]
  process.off('SIGINT', ignore)
  return status ?? 1
}
