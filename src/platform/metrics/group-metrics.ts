/**
 * Counters of all processes of a group, collected and summed at each scrape. The counts of a process that has ended remain in the
 * sums, as of its last scrape: a falling counter would look like a restart, and its rate would show a spike.
 */
import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type Registry, register } from 'prom-client'

/** A process that takes longer is left out of the scrape. */
const REPLY_TIMEOUT_MS = 2_000
const KEPT_TYPES = new Set<unknown>(['counter', 'histogram'])

/** A counter, gauge or histogram with its values, as prom-client hands it over. */
type Metric = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number]

interface MetricsRequest {
  asksMetrics: number
  /** Whether to add the gauges read from the database, which are the same for all processes. */
  withGauges: boolean
}

interface MetricsReply {
  answersMetrics: number
  metrics: Metric[]
}

/** Answers with the counters of this process, a member of a group. */
export function replyWithMetrics(readGauges: () => Promise<Registry>): void {
  process.on('message', async ({ asksMetrics, withGauges }: Partial<MetricsRequest>) => {
    if (asksMetrics === undefined) return
    const counted = await register.getMetricsAsJSON()
    const gauges = withGauges ? await (await readGauges()).getMetricsAsJSON() : []
    cluster.worker?.send({ answersMetrics: asksMetrics, metrics: [...counted, ...gauges] } satisfies MetricsReply)
  })
}

export class GroupMetrics {
  readonly #last = new Map<Worker, Metric[]>()
  #ended: object[] = []
  #lastRequestId = 0

  /** Returns the metrics in Prometheus' format; the last process reads the gauges. */
  async text(processes: readonly Worker[]): Promise<string> {
    await Promise.all(processes.map((process, i) => this.#collectFrom(process, i === processes.length - 1)))
    const all = [await register.getMetricsAsJSON(), this.#ended, ...this.#last.values()]
    return AggregatorRegistry.aggregate(all).metrics()
  }

  async #collectFrom(process: Worker, withGauges: boolean): Promise<void> {
    const request: MetricsRequest = { asksMetrics: ++this.#lastRequestId, withGauges }
    const { promise, resolve } = Promise.withResolvers<void>()
    const onMessage = ({ answersMetrics, metrics = [] }: Partial<MetricsReply>) => {
      if (answersMetrics !== request.asksMetrics) return
      if (!this.#last.has(process)) process.once('exit', () => this.#keep(process))
      this.#last.set(process, metrics)
      resolve()
    }
    const timer = setTimeout(resolve, REPLY_TIMEOUT_MS)
    process.on('message', onMessage)
    process.send(request, undefined, (err) => err && resolve())
    await promise
    clearTimeout(timer)
    process.off('message', onMessage)
  }

  #keep(process: Worker): void {
    const counts = this.#last.get(process)?.filter(({ type }) => KEPT_TYPES.has(type)) ?? []
    this.#last.delete(process)
    this.#ended = AggregatorRegistry.aggregate([this.#ended, counts]).getMetricsAsArray()
  }
}
