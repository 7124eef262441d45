/**
 * `npm run sql [-- <parameters of psql>]`: opens psql, or a small prompt if psql is missing, as the role analyst. It uses the
 * server for analysts if one is configured, otherwise a consistent copy of the embedded database, deleted at the end.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { connectionStringFor } from '../platform/engine/engine.ts'
import { type Config, readConfig } from '../service/config/config.ts'
import { engineFolder, openOrJoinDatabase } from '../service/open-database.ts'
import { makeAnalystCopy, startAsAnalyst } from '../store/analyst-copy.ts'
import { connectDatabase } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { runCommand, UsageError } from './command.ts'
import { runSqlPrompt } from './sql-prompt.ts'

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
  const engine = stack.use(await startAsAnalyst(folder))
  return await openClient(connectionStringFor(engine.address))
})

async function copyDatabase(config: Config, folder: string): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const location = await openOrJoinDatabase(config)
  if (location.engine !== undefined) {
    stack.use(location.engine)
    await migrate(stack.use(connectDatabase({ url: location.url, poolSize: 1 })))
  }
  await makeAnalystCopy({ url: location.url, engineFolder: engineFolder(config.database.dataDir), folder })
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
