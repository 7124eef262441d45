/** The life of the service's process. The database opens while the rest of the program is loaded. */

import { checkSecretsKey } from '../delivery/webhooks/open-secret-box.ts'
import { createLogger, type Logger } from '../platform/log.ts'
import { npmGone } from '../platform/npm-parent.ts'
import { plainLines } from '../platform/plain-log.ts'
import { giveBackMemoryAfterStart } from '../platform/processes/memory-after-start.ts'
import { isOfGroup, reportReady } from '../platform/processes/process-group.ts'
import { type Config, readConfig } from './config/config.ts'
import { greeting } from './greeting.ts'
import { type DatabaseLocation, openDatabase } from './open-database.ts'
import type { Running } from './start-service.ts'

/** More than requests, jobs, queries and the embedded database are each given to end, taken together. */
const STOP_WITHIN_MS = 20_000

/** Ends the process. */
export async function main(env: NodeJS.ProcessEnv): Promise<never> {
  try {
    await run(env)
    process.exit(0)
  } catch (err) {
    const { startProblem } = await import('./start-problem.ts')
    process.stderr.write(`${startProblem(err) ?? (err instanceof Error ? err.stack : String(err))}\n`)
    process.exit(1)
  }
}

async function run(env: NodeJS.ProcessEnv): Promise<void> {
  const npmEnds = npmGone(env)
  const config = readConfig(env)
  const isText = config.logFormat === 'text' || (config.logFormat === 'auto' && process.stdout.isTTY)
  const show = (text: string) => void process.stdout.write(text)
  const log = createLogger({ level: config.logLevel, ...(isText && { destination: plainLines(show) }) })
  const service = await start(config, log)
  if (isText && !isOfGroup() && service.url !== undefined) {
    const { isLocalStart } = await import('./first-key.ts')
    const key = isLocalStart(config, process.stdout.isTTY) ? await service.firstKey?.() : undefined
    show(greeting(service.url, service.isFilling(), key))
  }
  // Of the terminal of a group every process has the signal.
  if (service.restart || isOfGroup()) process.on('SIGHUP', () => service.restart?.())
  const signal = await Promise.race([nextSignal(), npmEnds, service.failure])
  log.info({ signal }, 'stopping')
  exitAtLatestIn(STOP_WITHIN_MS, log)
  await service.stop()
  log.info('stopped')
}

async function start(config: Config, log: Logger): Promise<Running> {
  if (config.http.processes > 1 && !isOfGroup()) return (await import('./start-group.ts')).startGroup(config, log)
  log.info('opening the database')
  await checkSecretsKey(config)
  const service = await startWhileOpening(openDatabase(config), config, log)
  reportReady(service.url?.href)
  giveBackMemoryAfterStart()
  return service
}

async function startWhileOpening(opening: Promise<DatabaseLocation>, config: Config, log: Logger) {
  opening.catch(() => {}) // it is awaited once the rest is loaded
  const { startService } = await import('./start-service.ts')
  return startService(config, log, () => opening)
}

/** Those that follow change nothing: at a Ctrl-C the terminal sends one, and npm passes on another. */
function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, resolve)
  })
}

function exitAtLatestIn(ms: number, log: Logger): void {
  setTimeout(() => {
    log.error('something did not stop in time')
    log.flush()
    process.exit(1)
  }, ms).unref()
}
