/**
 * What users or operators of the service care about, one function per event: the name, the level and the few facts that belong to
 * it stand here and nowhere else. They never throw. Counters will join the log lines when there are metrics.
 */
import type { Logger } from './log.ts'

/** A request failed by our fault; the client was given the request id that this line carries. */
export function requestFailed(log: Logger, facts: { endpoint: string; status: number; cause: unknown }): void {
  log.error(
    { event: 'request_failed', endpoint: facts.endpoint, status: facts.status, err: facts.cause },
    'request failed',
  )
}

/** An answer did not fit its own schema: the contract would have changed quietly. */
export function replyBrokeContract(log: Logger, facts: { endpoint: string; problems: string }): void {
  log.error({ event: 'reply_broke_contract', ...facts }, 'reply does not fit its schema')
}

/** The store that processes share for their limits does not answer: each counts for itself until it is back. */
export function limitsStoreLost(log: Logger, facts: { store: string; windowSeconds: number; cause: unknown }): void {
  const { cause, ...rest } = facts
  log.warn({ event: 'limits_store_lost', ...rest, err: cause }, 'limits store lost, counting in this process')
}

export function limitsStoreBack(log: Logger, facts: { store: string; windowSeconds: number }): void {
  log.info({ event: 'limits_store_back', ...facts }, 'limits store back')
}

/** Thresholds were crossed by a day's price; calls to their webhooks are queued. */
export function alertsFired(log: Logger, facts: { asset: string; day: string; count: number }): void {
  log.info({ event: 'alerts_fired', ...facts }, 'alerts fired')
}

/** A receiver failed too often in a row, or is gone; the alert waits for its owner. */
export function alertSuspended(log: Logger, facts: { alert: string }): void {
  log.warn({ event: 'alert_suspended', ...facts }, 'alert suspended')
}

/** A call could not be made by our fault, such as a secret that no key opens. It is tried again. */
export function deliveryImpossible(log: Logger, facts: { delivery: string; cause: unknown }): void {
  log.error(
    { event: 'delivery_impossible', delivery: facts.delivery, err: facts.cause },
    'a webhook call could not be made',
  )
}
