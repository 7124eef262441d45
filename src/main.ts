/** Starts the service in its role, and stops it: a signal, the end of npm, or the failure of something it depends on. */

import { createLogger, type Logger } from './platform/log.ts'
import { npmGone } from './platform/npm-parent.ts'
import { readConfig } from './service/config/config.ts'
import { startProblem } from './service/start-problem.ts'
import { startService } from './service/start-service.ts'

/** More than the limits of requests, jobs, queries and the embedded database together. */
const STOP_WITHIN_MS = 20_000

async function main(): Promise<void> {
  const npmEnds = npmGone(process.env)
  const config = readConfig(process.env)
  const log = createLogger({ level: config.logLevel })
  const service = await startService(config, log)
  const signal = await Promise.race([nextSignal(), npmEnds, service.failure])
  log.info({ signal }, 'stopping')
  exitAtLatestIn(STOP_WITHIN_MS, log)
  await service.stop()
  log.info('stopped')
}

/** Later signals are ignored: at Ctrl-C the terminal sends one and npm passes on another. */
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

main().then(
  () => process.exit(0),
  (err: unknown) => {
    process.stderr.write(`${startProblem(err) ?? (err instanceof Error ? err.stack : String(err))}\n`)
    process.exit(1)
  },
)
