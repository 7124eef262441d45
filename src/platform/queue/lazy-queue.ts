/** A queue that is loaded and opened on first use, so that it does not delay the first answers of a start. */
import { once } from '../awaitable.ts'
import type { Queue } from './queue.ts'

export function lazyQueue(open: () => Promise<Queue>): Queue {
  let opened: Promise<Queue> | undefined
  const queue = once(() => (opened = open()))
  const stop = async () => {
    const left = await opened?.catch(() => undefined)
    await left?.stop()
  }
  return {
    send: async (definition, payload) => (await queue()).send(definition, payload),
    sendAndWait: async (definition, payload) => (await queue()).sendAndWait(definition, payload),
    work: async (jobs, schedule, ctx) => (await queue()).work(jobs, schedule, ctx),
    requeueOrphanedJobs: async (jobs) => (await queue()).requeueOrphanedJobs(jobs),
    depths: async () => (await queue()).depths(),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
