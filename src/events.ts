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

/** Forecasts of an asset entered the ledger. */
export function forecastsIssued(
  log: Logger,
  facts: { asset: string; model: string; chain: string; infoDate: string; count: number },
): void {
  log.info({ event: 'forecasts_issued', ...facts }, 'forecasts issued')
}

/** A trained model cannot be read or used: the base model speaks in its place. */
export function forecastArtefactUnusable(
  log: Logger,
  facts: { asset: string; artefact?: number; problem: string },
): void {
  log.error({ event: 'forecast_artefact_unusable', ...facts }, 'forecast artefact unusable')
}

/** A training was given up and kept out; the last good artefact stays. Too little history is no fault. */
export function forecastTrainingFailed(
  log: Logger,
  facts: { asset: string; model: string; outcome: 'diverged' | 'too_little_history'; reason: string },
): void {
  const line = { event: 'forecast_training_failed', ...facts }
  if (facts.outcome === 'diverged') log.error(line, 'forecast training kept out')
  else log.info(line, 'forecast model not trained')
}

/** A training decided which model speaks. */
export function forecastModelChosen(log: Logger, facts: { asset: string; model: string; reason: string }): void {
  log.info({ event: 'forecast_model_chosen', ...facts }, 'forecast model chosen')
}
