/**
 * Events for users and operators of the service, one function each. The name, level and fields of an event are defined only here.
 * The functions never throw. The counters are in src/platform/metrics/metrics.ts.
 */

import type { Logger } from './log.ts'
import { alertsFiredTotal, analystOverruns, sourceEvents, webhookCalls, webhookSeconds } from './metrics/metrics.ts'

/** A request failed with an internal error. The client received the request id in this line. */
export function requestFailed(log: Logger, facts: { endpoint: string; status: number; cause: unknown }): void {
  log.error(
    { event: 'request_failed', endpoint: facts.endpoint, status: facts.status, err: facts.cause },
    'request failed',
  )
}

/** A reply did not fit its schema, which would change the contract silently. */
export function replyBrokeContract(log: Logger, facts: { endpoint: string; problems: string }): void {
  log.error({ event: 'reply_broke_contract', ...facts }, 'reply does not fit its schema')
}

/** The store of the shared rate limits is unavailable: each process counts separately until it is back. */
export function limitsStoreLost(log: Logger, facts: { store: string; windowSeconds: number; cause: unknown }): void {
  const { cause, ...rest } = facts
  log.warn({ event: 'limits_store_lost', ...rest, err: cause }, 'limits store lost, counting in this process')
}

export function limitsStoreBack(log: Logger, facts: { store: string; windowSeconds: number }): void {
  log.info({ event: 'limits_store_back', ...facts }, 'limits store back')
}

/** An analyst's query was still running a second after its time limit; the server is asked to end it. `client`: the id of the key. */
export function sqlOverrun(log: Logger, facts: { client: string }): void {
  analystOverruns.inc()
  log.warn({ event: 'sql_overrun', ...facts }, 'a query ran on after its time limit')
}

/** A user confirmed an e-mail address and received a Developer key. Never log the key or the address. */
export function developerKeyIssued(log: Logger, facts: { keyId: string; outcome: 'issued' | 'replaced' }): void {
  log.info({ event: 'developer_key_issued', ...facts }, 'developer key issued')
}

/** A day's price crossed thresholds; the calls to the webhooks are queued. */
export function alertsFired(log: Logger, facts: { asset: string; day: string; count: number }): void {
  log.info({ event: 'alerts_fired', ...facts }, 'alerts fired')
  alertsFiredTotal.inc({ asset: facts.asset }, facts.count)
}

/** A webhook was called, successfully or not. The line has the id of the request or job that caused the call. */
export function webhookCalled(
  log: Logger,
  facts: {
    webhook: string
    delivery: string
    outcome: string
    statusCode: number | undefined
    durationMs: number
    cause: string | undefined
  },
): void {
  log.info({ event: 'webhook_called', ...facts }, 'webhook called')
  webhookCalls.inc({ outcome: facts.outcome })
  webhookSeconds.observe({}, facts.durationMs / 1_000)
}

/** A receiver failed too often in a row, or is gone; the webhook is suspended until its owner resumes it. */
export function webhookSuspended(log: Logger, facts: { webhook: string }): void {
  log.warn({ event: 'webhook_suspended', ...facts }, 'webhook suspended')
}

/** An owner rotated a key. Only the ids are logged, never the keys. */
export function keyRotated(log: Logger, facts: { keyId: string; previousId: string; previousUntil: string }): void {
  log.info({ event: 'key_rotated', ...facts }, 'key rotated')
}

/** A call failed with an internal error, such as a secret that no key decrypts. It is retried. */
export function deliveryImpossible(log: Logger, facts: { delivery: string; cause: unknown }): void {
  log.error(
    { event: 'delivery_impossible', delivery: facts.delivery, err: facts.cause },
    'a webhook call could not be made',
  )
}

/** Level and message of each event of a source. */
const SOURCE_EVENTS = {
  late: { level: 'warn', message: 'source late: a market day is not complete in time' },
  back: { level: 'info', message: 'source back: it delivers again' },
  quarantined: { level: 'warn', message: 'a market day was quarantined' },
  corrected: { level: 'info', message: 'the source corrected a market day' },
  refused: { level: 'error', message: 'the source refuses the credentials' },
} as const satisfies Record<string, { level: 'error' | 'warn' | 'info'; message: string }>

export type SourceEventKind = keyof typeof SOURCE_EVENTS

export interface SourceEvent {
  id: number
  source: string
  kind: SourceEventKind
  /** YYYY-MM-DD; null if it is not about a single day. */
  marketDay: string | null
  occurredAt: Temporal.Instant
  facts: Record<string, unknown>
}

/** A publisher's event for the operator; `id` is unique. */
export function sourceEvent(log: Logger, { id, source, kind, marketDay, occurredAt, facts }: SourceEvent): void {
  const { level, message } = SOURCE_EVENTS[kind]
  sourceEvents.inc({ source, kind })
  log[level]({ ...facts, event: `source_${kind}`, id, source, day: marketDay, at: occurredAt.toString() }, message)
}

/** The outcome of a fetch differs from the previous one. Outcomes that need an operator are reported by `sourceEvent`. */
export function sourceOutcomeChanged(
  log: Logger,
  facts: { source: string; outcome: string; detail: string | null },
): void {
  log.info({ event: 'source_outcome', ...facts }, 'source fetched')
}

/** A publisher is on, or off with the reason and what to configure. */
export function sourceState(log: Logger, facts: { source: string; way: string | null; reason: string | null }): void {
  if (facts.reason === null) log.info({ event: 'source_on', source: facts.source, way: facts.way }, 'source is on')
  else log.warn({ event: 'source_off', source: facts.source, reason: facts.reason }, 'source is off')
}

/** A bulk export ended; `unchanged`: its file equals the one already offered. */
export function bulkExportEnded(
  log: Logger,
  facts: {
    dataset: string
    format: string
    outcome: string
    rows: number | undefined
    bytes: number | undefined
    seconds: number
  },
): void {
  log.info({ event: 'bulk_export_ended', ...facts }, 'bulk export ended')
}

/** A bulk export failed; the previous file is still offered. */
export function bulkExportFailed(log: Logger, facts: { dataset: string; format: string; cause: unknown }): void {
  const { cause, ...rest } = facts
  log.error({ event: 'bulk_export_failed', ...rest, err: cause }, 'bulk export failed')
}

/** An attempt at an export to order ended; `dropped`: its result is no longer needed. */
export function exportOrderEnded(
  log: Logger,
  facts: {
    order: string
    dataset: string
    format: string
    outcome: string
    rows?: number
    bytes?: number
    seconds: number
  },
): void {
  log.info({ event: 'export_order_ended', ...facts }, 'export to order ended')
}

/** An attempt at an export to order failed. */
export function exportOrderFailed(log: Logger, facts: { order: string; attempt: number; cause: unknown }): void {
  const { cause, ...rest } = facts
  log.error({ event: 'export_order_failed', ...rest, err: cause }, 'export to order failed')
}

/** Forecasts of an asset, or of a zone's hours, were added to the ledger; `inputs`: what was known of the first day besides prices and gas. */
export function forecastsIssued(
  log: Logger,
  facts: {
    asset: string
    model: string
    chain: string
    infoDate: string
    count: number
    issue?: string | undefined
    inputs?: string
  },
): void {
  log.info({ event: 'forecasts_issued', ...facts }, 'forecasts issued')
}

/** The last row of a chain of forecasts, noted outside the database for `npm run ledger -- verify --head`. */
export function ledgerHead(log: Logger, facts: { chain: string; sequence: number; hash: string }): void {
  log.info({ event: 'ledger_head', ...facts }, 'last row of the ledger')
}

/** The bulk file store did not accept the head; the next refresh tries again. */
export function ledgerHeadNotKept(
  log: Logger,
  facts: { chain: string; sequence: number; hash: string; err: unknown },
): void {
  log.warn({ event: 'ledger_head_not_kept', ...facts }, 'the last row of the ledger could not be kept in the store')
}

/** A trained artefact cannot be read or used: an older one replaces it, or else the base model. */
export function forecastArtefactUnusable(
  log: Logger,
  facts: { asset: string; artefact?: number; problem: string },
): void {
  log.error({ event: 'forecast_artefact_unusable', ...facts }, 'forecast artefact unusable')
}

/** Training takes a while; until it succeeds, the last good artefact is used. */
export function forecastTrainingBegun(log: Logger, facts: { asset: string; model: string }): void {
  log.info({ event: 'forecast_training_begun', ...facts }, 'forecast training begun')
}

/** A training was discarded; the last good artefact remains active. Too short a history is not an error. */
export function forecastTrainingFailed(
  log: Logger,
  facts: { asset: string; model: string; outcome: 'diverged' | 'too_little_history'; reason: string },
): void {
  const line = { event: 'forecast_training_failed', ...facts }
  if (facts.outcome === 'diverged') log.error(line, 'forecast training discarded')
  else log.info(line, 'forecast model not trained')
}

/** An active model has become worse than its test promised; it is retrained, and replaced if the drift persists. */
export function forecastModelDrifts(log: Logger, facts: { subject: string; rmae: number; promised: number }): void {
  log.warn({ event: 'forecast_model_drifts', ...facts }, 'forecast model drifts')
}

/** A training selected the active model. */
export function forecastModelChosen(log: Logger, facts: { asset: string; model: string; reason: string }): void {
  log.info({ event: 'forecast_model_chosen', ...facts }, 'forecast model chosen')
}
