/** Lifecycle of the service's process. The database opens while the rest of the program is loaded. */

import { Worker } from 'node:worker_threads'
import { checkSecretsKey } from '../delivery/webhooks/open-secret-box.ts'
import { ConfigurationError } from '../platform/configuration-error.ts'
import { createLogger, type Logger, logDestination } from '../platform/log.ts'
import { plainLines } from '../platform/plain-log.ts'
import { isGroupMember, reportReady } from '../platform/processes/process-group.ts'
import { releaseMemoryAfterStart } from '../platform/processes/release-start-memory.ts'
import { type Config, readConfig } from './config/config.ts'
import { greeting } from './greeting.ts'
import { type DatabaseLocation, openDatabase } from './open-database.ts'
import type { ServiceHandle } from './start-service.ts'
import { rejectOnAbort } from './stop-signal.ts'

/** More than the sum of the stop time-outs of requests, jobs, queries and the embedded database. */
const STOP_WITHIN_MS = 20_000
/** Time to write the last lines of the log. */
const EXIT_WITHIN_MS = 2_000

/** Ends the process, once `stopping` is aborted or something fails; with exit code 2 if the configuration cannot be used. */
export async function main(env: NodeJS.ProcessEnv, stopping: AbortSignal): Promise<never> {
  try {
    await run(env, stopping)
    process.exit(0)
  } catch (err) {
    const { startProblem } = await import('./start-problem.ts')
    process.stderr.write(`${startProblem(err) ?? (err instanceof Error ? err.stack : String(err))}\n`)
    process.exit(err instanceof ConfigurationError ? 2 : 1)
  }
}

async function run(env: NodeJS.ProcessEnv, stopping: AbortSignal): Promise<void> {
  const config = readConfig(env)
  const isText = config.logFormat === 'text' || (config.logFormat === 'auto' && process.stdout.isTTY)
  const output = logDestination(process.stdout.fd)
  const show = (text: string) => output.write(text)
  const log = createLogger({ level: config.logLevel, destination: isText ? plainLines(show) : output })
  const stopRequested = rejectOnAbort(stopping).catch((signal: unknown) => {
    exitAfter(STOP_WITHIN_MS, log)
    log.info({ signal }, 'stopping')
  })
  const service = await start(config, log, stopping)
  if (service !== undefined) {
    if (isText && !isGroupMember() && service.url !== undefined) await greet(service, service.url, config, show)
    // In a terminal, SIGHUP reaches every process of the group, and its default action would end the members.
    if (service.restart || isGroupMember()) process.on('SIGHUP', () => service.restart?.())
    await Promise.race([stopRequested, service.failure])
    await service.stop()
  }
  log.info('stopped')
}

async function greet(service: ServiceHandle, url: URL, config: Config, show: (text: string) => void): Promise<void> {
  const { isLocalStart } = await import('./first-key.ts')
  const key = isLocalStart(config, process.stdout.isTTY) ? await service.firstKey?.() : undefined
  show(greeting(url, service.isFilling(), key))
}

/** Returns undefined if it was stopped before it had started; everything it had opened is closed. */
async function start(config: Config, log: Logger, stopping: AbortSignal): Promise<ServiceHandle | undefined> {
  try {
    return await startUnlessStopped(config, log, stopping)
  } catch (err) {
    if (stopping.aborted && err === stopping.reason) return undefined
    throw err
  }
}

async function startUnlessStopped(config: Config, log: Logger, stopping: AbortSignal): Promise<ServiceHandle> {
  if (config.http.processes > 1 && !isGroupMember())
    return (await import('./start-group.ts')).startGroup(config, log, stopping)
  log.info('opening the database')
  await checkSecretsKey(config)
  const service = await startWhileOpening(openDatabase(config), config, log, stopping)
  reportReady(service.url?.href)
  releaseMemoryAfterStart()
  return service
}

async function startWhileOpening(
  opening: Promise<DatabaseLocation>,
  config: Config,
  log: Logger,
  stopping: AbortSignal,
) {
  opening.catch(() => {}) // it is awaited once the rest is loaded
  const { startService } = await import('./start-service.ts')
  return startService(config, log, { open: () => opening, stopping })
}

function exitAfter(ms: number, log: Logger): void {
  killAfter(ms + EXIT_WITHIN_MS)
  setTimeout(() => {
    log.error('something did not stop in time')
    log.flush()
    process.exit(1)
  }, ms).unref()
}

/** Kills from a thread, since this one may be blocked by a write: to a full pipe, or a disk that does not answer. */
function killAfter(ms: number): void {
  const program = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${ms})`
  new Worker(program, { eval: true, execArgv: [] }).unref()
}
