/** The process itself, under the names that Prometheus' own clients use. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { MetricFamily } from './exposition.ts'

const NANOSECONDS = 1e9
const MICROSECONDS = 1e6
const RESOLUTION_MS = 20

const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
const startedSeconds = Date.now() / 1_000 - process.uptime()

/** To be called once a process that is watched; what it costs is a timer. */
export function watchEventLoop(): void {
  delay.enable()
}

/** The delay is that since the last scrape: it is forgotten here. */
export function processFamilies(): MetricFamily[] {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const delaySeconds = Number.isFinite(delay.percentile(99)) ? delay.percentile(99) / NANOSECONDS : 0
  delay.reset()
  return [
    single('process_resident_memory_bytes', 'gauge', 'Memory of the process, the embedded database included.', rss),
    single('nodejs_heap_size_used_bytes', 'gauge', 'Memory in use by JavaScript.', heapUsed),
    single('process_cpu_seconds_total', 'counter', 'Processor time.', (user + system) / MICROSECONDS),
    single('process_start_time_seconds', 'gauge', 'When the process was started.', startedSeconds),
    single(
      'nodejs_eventloop_lag_p99_seconds',
      'gauge',
      'By how much timers were late since the last scrape.',
      delaySeconds,
    ),
  ]
}

export function single(name: string, type: 'gauge' | 'counter', help: string, value: number): MetricFamily {
  return { name, help, type, samples: [{ name, labels: {}, value }] }
}
