import type { Queue, QueueDepth } from '../../src/platform/queue/queue.ts'

/** A queue that nobody works on; it remembers what it is sent. */
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
