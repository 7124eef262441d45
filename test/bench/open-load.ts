/**
 * Sends requests at a fixed rate without waiting for earlier ones (an open loop, like real traffic), from a separate thread. Unlike a
 * closed loop, it exposes queueing. Delays of this thread are reported separately, since the service does not cause them.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Agent } from 'undici'

export interface OpenLoad {
  /** Requested in turn, cyclically. */
  urls: string[]
  headers: Record<string, string>
  perSecond: number
  seconds: number
}

export interface Outcome {
  /** 0 if there was no response. */
  status: number
  /** From sending the request to the end of the response. */
  ms: number
  /** Delay between due time and sending. */
  lateMs: number
  /** Due time, from the beginning of the load. */
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
      outcomes.push(sendRequest(agent, url, headers, began, (outcomes.length / perSecond) * 1000))
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return Promise.all(outcomes).finally(() => agent.close())
}

async function sendRequest(
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
