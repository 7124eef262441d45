/**
 * Requests at a fixed rate, whatever becomes of those before (an open loop, as the world's is), from a thread of its own. Unlike a
 * closed loop it shows what waits. How late the thread itself was is reported separately, as it says nothing about the service.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Agent } from 'undici'

export interface OpenLoad {
  /** Requested in turn, repeatedly from first to last. */
  urls: string[]
  headers: Record<string, string>
  perSecond: number
  seconds: number
}

export interface Outcome {
  /** 0 where there was no answer. */
  status: number
  /** From sending to the end of the answer. */
  ms: number
  /** How much later than due it was sent. */
  lateMs: number
  /** When it was due, from the beginning of the load. */
  atMs: number
}

export async function openLoad(load: OpenLoad): Promise<Outcome[]> {
  const worker = new Worker(import.meta.filename, { workerData: load })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

async function run({ urls, headers, perSecond, seconds }: OpenLoad): Promise<Outcome[]> {
  const agent = new Agent({ connections: 512, pipelining: 1 })
  const began = performance.now()
  const outcomes: Promise<Outcome>[] = []
  const count = perSecond * seconds
  while (outcomes.length < count) {
    const due = Math.min(count, Math.ceil(((performance.now() - began) / 1000) * perSecond))
    while (outcomes.length < due) {
      const url = urls[outcomes.length % urls.length] as string
      outcomes.push(ask(agent, url, headers, began, (outcomes.length / perSecond) * 1000))
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return Promise.all(outcomes).finally(() => agent.close())
}

async function ask(
  agent: Agent,
  url: string,
  headers: Record<string, string>,
  began: number,
  atMs: number,
): Promise<Outcome> {
  const sentMs = performance.now() - began
  const { origin, pathname, search } = new URL(url)
  const status = await agent
    .request({ origin, path: pathname + search, method: 'GET', headers })
    .then(async (answer) => {
      await answer.body.dump()
      return answer.statusCode
    })
    .catch(() => 0) // counted as unanswered
  return { status, ms: performance.now() - began - sentMs, lateMs: sentMs - atMs, atMs }
}

if (!isMainThread) parentPort?.postMessage(await run(workerData as OpenLoad))
