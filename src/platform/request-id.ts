/**
 * The id under which something happens: a request's, or that of the job which nobody's request asked for. It comes by async context, so
 * nobody passes it along; the log has it in every line, jobs hand it to the jobs they ask for, calls to webhooks carry it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** What is taken from others as an id. */
export const REQUEST_ID_FORM = /^[A-Za-z0-9._-]{8,64}$/

const current = new AsyncLocalStorage<string>()

/** Runs `work`, and whatever it starts, under that id. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return current.run(requestId, work)
}

/** Undefined outside of requests and jobs. */
export function currentRequestId(): string | undefined {
  return current.getStore()
}
