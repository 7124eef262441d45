/** `/metrics` on a separate port. It has no authentication, so it must listen where only the operator's programs can reach it. */
import { createServer } from 'node:http'
import { collectDefaultMetrics, Registry, register } from 'prom-client'
import { listen, listeningUrl } from '../listen.ts'
import type { Logger } from '../log.ts'
import './metrics.ts'

export interface MetricsServer extends AsyncDisposable {
  url: URL
}

interface MetricsServerOptions {
  host: string
  /** 0: any free one. */
  port: number
  /** The text that Prometheus scrapes. */
  text: () => Promise<string>
  log: Logger
}

// The process itself: memory, processor time, event loop.
collectDefaultMetrics()

export async function startMetricsServer({ host, port, text, log }: MetricsServerOptions): Promise<MetricsServer> {
  const server = createServer(async (req, res) => {
    const isKnown = req.url === '/metrics' && (req.method === 'GET' || req.method === 'HEAD')
    try {
      const body = isKnown ? await text() : 'not found\n'
      res.writeHead(isKnown ? 200 : 404, { 'Content-Type': register.contentType }).end(body)
    } catch (err) {
      log.error({ err }, 'the metrics could not be collected')
      res.writeHead(500, { 'Content-Type': register.contentType }).end('the metrics could not be collected\n')
    }
  })
  const boundPort = await listen(server, { host, port }, { host: 'METRICS_HOST', port: 'METRICS_PORT' })
  return {
    url: listeningUrl(host, boundPort, '/metrics'),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Returns the metrics of this process: its counters and the gauges that `read` takes from the database. */
export function metricsOfProcess(read: () => Promise<Registry>): () => Promise<string> {
  return async () => (await register.metrics()) + (await (await read()).metrics())
}

/** While the database is unreachable, the counters are still served; the gauges are absent, which an alarm can detect. */
export function emptyIfUnavailable(read: () => Promise<Registry>, log: Logger): () => Promise<Registry> {
  return async () => {
    try {
      return await read()
    } catch (err) {
      log.warn({ err }, 'the gauges could not be read from the database')
      return new Registry()
    }
  }
}
