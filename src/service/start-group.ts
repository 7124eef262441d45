/** Runs the service as several processes behind one port (API_PROCESSES): those that serve the API and, with ROLE=all, one worker. */
import { childLogger, type Logger } from '../platform/log.ts'
import { GroupMetrics } from '../platform/metrics/group-metrics.ts'
import { startMetricsServer } from '../platform/metrics/metrics-server.ts'
import { type Member, ProcessGroup } from '../platform/processes/process-group.ts'
import type { Config } from './config/config.ts'
import type { ServiceHandle } from './start-service.ts'
import { rejectOnAbort } from './stop-signal.ts'

/** The `_FILE` variables are emptied, since the parent's values may have come from files. */
const API_ENV = { ROLE: 'api', ROLE_FILE: '' }
const WORKER_ENV = { ROLE: 'worker', ROLE_FILE: '', API_PROCESSES: '1', API_PROCESSES_FILE: '' }

export async function startGroup(config: Config, log: Logger, stopping: AbortSignal): Promise<ServiceHandle> {
  await using stack = new AsyncDisposableStack()
  const members: Member[] = Array.from({ length: config.http.processes }, () => ({ env: API_ENV, isSingle: false }))
  if (config.role === 'all') members.push({ env: WORKER_ENV, isSingle: true })
  const group = new ProcessGroup(members, childLogger(log, 'life'))
  stack.defer(() => group.stop())
  const url = await Promise.race([group.start(), rejectOnAbort(stopping)])
  const metrics = new GroupMetrics()
  const server = stack.use(
    await startMetricsServer({
      ...config.metrics,
      text: () => metrics.text(group.processes),
      log: childLogger(log, 'metrics'),
    }),
  )
  log.info({ processes: members.length, url, metrics: server.url.href }, 'ready')
  const running = stack.move()
  return {
    url: url === undefined ? undefined : new URL(url),
    isFilling: () => false,
    failure: new Promise(() => {}),
    restart() {
      log.info('restarting the processes one after another')
      group.restart().then(
        () => log.info('restarted'),
        (err) => log.error({ err }, 'the restart was given up, the processes left stay'),
      )
    },
    stop: () => running.disposeAsync(),
  }
}
