/**
 * The id of the current request, or of a job that no request enqueued. It is kept in async context, so no function has to pass it
 * on. Every log line has it, jobs pass it to the jobs they enqueue, and webhook calls carry it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** Ids accepted from clients. */
export const REQUEST_ID_PATTERN = /^[A-Za-z0-9._-]{8,64}$/

const requestIdStorage = new AsyncLocalStorage<string>()

/** Runs `work`, and everything it starts, under that id. */
export function withRequestId<T, Args extends unknown[]>(
  requestId: string,
  work: (...args: Args) => T,
  ...args: Args
): T {
  return requestIdStorage.run(requestId, work, ...args)
}

/** Undefined outside of requests and jobs. */
export function currentRequestId(): string | undefined {
  return requestIdStorage.getStore()
}
