/** `/metrics` on a port of its own. It has no keys, so it listens where only the operator's own programs reach it. */
import { createServer } from 'node:http'
import { listen } from '../../listen.ts'
import { listeningUrl } from '../listening-url.ts'
import type { Logger } from '../log.ts'
import { exposition, METRICS_CONTENT_TYPE, type MetricFamily } from './exposition.ts'
import { countedFamilies } from './metrics.ts'

export interface MetricsServer extends AsyncDisposable {
  url: URL
}

export interface MetricsServerOptions {
  host: string
  /** 0: any free one. */
  port: number
  /** What the process knows of itself at each scrape. */
  own?: () => MetricFamily[]
  /** What is read from the database at each scrape. */
  read: () => Promise<MetricFamily[]>
  log: Logger
}

export async function startMetricsServer({
  host,
  port,
  own = () => [],
  read,
  log,
}: MetricsServerOptions): Promise<MetricsServer> {
  const server = createServer(async (req, res) => {
    const isKnown = req.url === '/metrics' && (req.method === 'GET' || req.method === 'HEAD')
    const text = isKnown
      ? exposition([...countedFamilies(), ...own(), ...(await readOrNothing(read, log))])
      : 'not found\n'
    res.writeHead(isKnown ? 200 : 404, { 'Content-Type': METRICS_CONTENT_TYPE }).end(text)
  })
  const taken = await listen(server, { host, port }, { host: 'METRICS_HOST', port: 'METRICS_PORT' })
  return {
    url: listeningUrl(host, taken, '/metrics'),
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** With the database out of reach the counters are worth the more; the gauges are missing then, which an alarm can tell. */
async function readOrNothing(read: () => Promise<MetricFamily[]>, log: Logger): Promise<MetricFamily[]> {
  try {
    return await read()
  } catch (err) {
    log.warn({ err }, 'what the database knows could not be read for the metrics')
    return []
  }
}
