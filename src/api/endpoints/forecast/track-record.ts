/** Past forecasts, of days or of hours, as issued or replayed, with the actual prices. */
import type { AssetCode } from '../../../market/assets.ts'
import { toUtcIso } from '../../../market/market-day.ts'
import { roundNative } from '../../../market/price-units.ts'
import type { ZoneCode } from '../../../market/zones.ts'
import type { ChainHead } from '../../../store/forecast-ledger.ts'
import {
  type AccuracyBasis,
  type ForecastErrors,
  type ForecastReader,
  type ForecastRecord,
  type HourlyErrors,
  type HourlyRecordRow,
  type HourlyRecordSpan,
  type RecordBasis,
  type RecordOrigin,
  type RecordSpan,
  recordBasis,
} from '../../../store/forecasts.ts'
import type { ForecastChain, TrackRecord } from '../../contract/forecasts.ts'
import type { HourlyTrackRecord } from '../../contract/hourly-forecasts.ts'
import { attributionText, sourceNames } from '../source-credits.ts'
import { ACCURACY_DAYS, onBasis } from './best-basis.ts'
import { methodologyUrl, showError } from './present.ts'

interface FoundRecords<Row, Span, Errors> {
  chain: ForecastChain
  span: Span
  records: Row[]
  errors: Errors | undefined
  /** Basis of both errors. */
  basis: AccuracyBasis
  /** Errors over the last 30 scored days up to the end of the span. */
  recent: Errors | undefined
  head: ChainHead | undefined
  days: { day: string; sequence: number; hash: string }[]
}

type Reader<Code, Row, Span extends RecordSpan, Errors> = ForecastReader<{
  code: Code
  issue: never
  record: Row
  span: Span
  errors: Errors
  values: never
}>

/** `recent` is a span that contains the last 30 scored days. */
export async function findRecords<Code, Row, Span extends RecordSpan, Errors extends { days: number }>(
  reader: Pick<Reader<Code, Row, Span, Errors>, 'records' | 'errors' | 'head' | 'dayHashes'>,
  { chain, code, span, recent }: { chain: ForecastChain; code: Code; span: Span; recent: Span },
  requested: RecordBasis,
): Promise<FoundRecords<Row, Span, Errors>> {
  const { basis, found: errors } = await onBasis(
    requested,
    (one) => reader.errors(chain, code, span, { basis: one }),
    (found) => found?.days ?? 0,
  )
  return {
    ...{ chain, span, basis, errors },
    records: await reader.records(chain, code, span, requested),
    recent: await reader.errors(chain, code, recent, { basis, days: ACCURACY_DAYS }),
    head: await reader.head(chain),
    days: await reader.dayHashes(chain, span),
  }
}

/** Percentages are meaningless for prices this close to zero, €/MWh. */
const NEAR_ZERO = 1

export function presentTrackRecord(
  asset: AssetCode,
  found: FoundRecords<ForecastRecord, RecordSpan, ForecastErrors>,
  sourceIds: string[],
  baseUrl: URL,
): TrackRecord {
  const { basis, errors, recent } = found
  const records = found.records.map((record) => ({
    ...presentOrigin(record),
    ...presentQuantiles(record),
    ...(record.actual !== undefined && presentOutcome(record, record.actual)),
    ...{ model: record.model, version: record.version, info_date: record.infoDate },
    ...presentChainPlace(record),
  }))
  const summary = errors && {
    ...{ basis: recordBasis(basis), n: errors.n, mae: showError(errors.mae) },
    ...(errors.mape !== undefined && { mape: showError(errors.mape) }),
    mape_left_out: errors.mapeLeftOut,
    ...(recent?.mape !== undefined && { mape_30d: showError(recent.mape) }),
    bias: showError(errors.bias),
    coverage_80: showError(errors.coverage80),
    pinball: showError(errors.pinball),
    ...presentRelative(errors),
  }
  const shown = presentRecords(found, records, summary, sourceIds, baseUrl)
  return { asset: asset as TrackRecord['asset'], unit: '€/MWh', ...shown }
}

export function presentHourlyTrackRecord(
  zone: ZoneCode,
  found: FoundRecords<HourlyRecordRow, HourlyRecordSpan, HourlyErrors>,
  sourceIds: string[],
  baseUrl: URL,
): HourlyTrackRecord {
  const { basis, errors, recent } = found
  const records = found.records.map(({ actual, ...record }) => ({
    ...presentOrigin(record),
    issue: record.issue,
    ...presentQuantiles(record),
    ...(actual && { actual: actual.map(roundNative) }),
    ...{ model: record.model, version: record.version, inputs: record.inputs, info_date: record.infoDate },
    ...presentChainPlace(record),
  }))
  const summary = errors && {
    ...{ basis: recordBasis(basis), days: errors.days, n: errors.n },
    ...presentErrors(errors),
    ...(recent && { mae_30d: showError(recent.mae) }),
    bias: showError(errors.bias),
    ...presentRelative(errors),
  }
  const shown = presentRecords(found, records, summary, sourceIds, baseUrl)
  return { asset: 'PUN', zone, granularity: 'hour', unit: '€/MWh', ...shown }
}

function presentRecords<Row, Summary>(
  { chain, span, head, days }: FoundRecords<unknown, RecordSpan & Partial<HourlyRecordSpan>, unknown>,
  records: Row[],
  summary: Summary | undefined,
  sourceIds: string[],
  baseUrl: URL,
) {
  return {
    from: span.from.toString(),
    to: span.to.toString(),
    ...(span.horizonDays !== undefined && { horizon_days: span.horizonDays }),
    ...(span.issue !== undefined && { issue: span.issue }),
    ...{ count: records.length, records },
    ...(summary && { summary }),
    ledger: {
      chain,
      length: head?.sequence ?? 0,
      ...(head && { head: head.hash }),
      days: days.map(({ day, sequence, hash }) => ({ date: day, sequence, hash })),
    },
    methodology: methodologyUrl(baseUrl),
    ...(sourceIds.length > 0 && { source: sourceNames(sourceIds) }),
    attribution: attributionText(sourceIds, baseUrl),
  }
}

/** A replay has no `issued_at`: it was never issued. */
function presentOrigin(record: RecordOrigin) {
  if (record.basis === 'live') return { basis: record.basis, issued_at: toUtcIso(record.issuedAt) }
  return { basis: record.basis, as_of: toUtcIso(record.asOf), made_at: toUtcIso(record.madeAt) }
}

function presentQuantiles<Of>(record: { targetDate: string; horizonDays: number; p10: Of; p50: Of; p90: Of }) {
  const { targetDate, horizonDays, p10, p50, p90 } = record
  return { target_date: targetDate, horizon_days: horizonDays, p10, p50, p90 }
}

function presentOutcome({ p10, p50, p90 }: ForecastRecord, actual: number) {
  const error = p50 - actual
  return {
    actual: roundNative(actual),
    error: showError(error),
    ...(Math.abs(actual) > NEAR_ZERO && { abs_pct_error: showError(Math.abs(error / actual)) }),
    in_band: p10 <= actual && actual <= p90,
  }
}

function presentChainPlace(record: RecordOrigin) {
  if (record.basis === 'replay') return {}
  const { sequence, inputsSha256, previousHash, hash } = record
  return { sequence, inputs_sha256: inputsSha256, previous_hash: previousHash, hash }
}

function presentErrors({ mae, coverage80, pinball }: Pick<ForecastErrors, 'mae' | 'coverage80' | 'pinball'>) {
  return { mae: showError(mae), coverage_80: showError(coverage80), pinball: showError(pinball) }
}

/** Relative to the benchmark. */
function presentRelative({ rmae, benchmark }: Pick<ForecastErrors, 'rmae' | 'benchmark'>) {
  return {
    ...(rmae !== undefined && { rmae: showError(rmae) }),
    ...(benchmark && { benchmark: { name: benchmark.name, ...presentErrors(benchmark) } }),
  }
}
