import type { Queue, QueueDepth } from '../../src/platform/queue/queue.ts'

/** A queue without workers; it records the queues of the jobs sent to it. */
export function idleQueue(enqueued: string[] = [], depths: QueueDepth[] = []): Queue {
  const stop = async () => {}
  return {
    async send({ queue }) {
      enqueued.push(queue)
      return undefined
    },
    depths: async () => depths,
    work: stop,
    requeueOrphanedJobs: stop,
    sendAndWait: stop,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
