import type { AssetCode } from '../../../market/assets.ts'
import { toUtcIso } from '../../../market/market-day.ts'
import { toNative } from '../../../market/price-units.ts'
import type { ChainHead } from '../../../store/forecast-ledger.ts'
import type {
  AccuracyBasis,
  ForecastErrors,
  ForecastRecord,
  RecordOrigin,
  RecordSpan,
} from '../../../store/forecasts.ts'
import type { ForecastChain, TrackRecord } from '../../contract/forecasts.ts'
import { attributionText, sourceNames } from '../source-credits.ts'
import { methodologyUrl, showError } from './present.ts'

interface FoundRecords {
  chain: ForecastChain
  code: AssetCode
  span: RecordSpan
  records: ForecastRecord[]
  errors: ForecastErrors | undefined
  /** Of both errors. */
  basis: AccuracyBasis
  /** Of the last 30 scored days at the shortest horizon. */
  recent: ForecastErrors | undefined
  head: ChainHead | undefined
  days: { day: string; sequence: number; hash: string }[]
  sourceIds: string[]
}

/** Percentages mean nothing for prices this near to zero, €/MWh. */
const NEAR_ZERO = 1

export function presentTrackRecord(found: FoundRecords, baseUrl: URL): TrackRecord {
  const { chain, code, span, records, errors, basis, recent, head, days, sourceIds } = found
  return {
    asset: code as TrackRecord['asset'],
    unit: '€/MWh',
    from: span.from.toString(),
    to: span.to.toString(),
    ...(span.horizonDays !== undefined && { horizon_days: span.horizonDays }),
    count: records.length,
    records: records.map(presentRecord),
    ...(errors && { summary: presentErrors(basis, errors, recent) }),
    ledger: presentLedger(chain, head, days),
    methodology: methodologyUrl(baseUrl),
    ...(sourceIds.length > 0 && { source: sourceNames(sourceIds) }),
    attribution: attributionText(sourceIds, baseUrl),
  }
}

/** The last hash of a chain, and of each day on which it grew. */
export function presentLedger(
  chain: ForecastChain,
  head: ChainHead | undefined,
  days: FoundRecords['days'],
): TrackRecord['ledger'] {
  return {
    chain,
    length: head?.sequence ?? 0,
    ...(head && { head: head.hash }),
    days: days.map(({ day, sequence, hash }) => ({ date: day, sequence, hash })),
  }
}

function presentRecord(record: ForecastRecord): TrackRecord['records'][number] {
  return {
    ...presentOrigin(record),
    target_date: record.targetDate,
    horizon_days: record.horizonDays,
    p10: record.p10,
    p50: record.p50,
    p90: record.p90,
    ...(record.actual !== undefined && presentOutcome(record, record.actual)),
    model: record.model,
    version: record.version,
    info_date: record.infoDate,
    ...presentChainPlace(record),
  }
}

/** A replay has no `issued_at`: it was never issued. */
export function presentOrigin(record: RecordOrigin) {
  if (record.basis === 'live') return { basis: record.basis, issued_at: toUtcIso(record.issuedAt) }
  return { basis: record.basis, as_of: toUtcIso(record.asOf), made_at: toUtcIso(record.madeAt) }
}

export function presentChainPlace(record: RecordOrigin) {
  if (record.basis === 'replay') return {}
  const { sequence, inputsSha256, previousHash, hash } = record
  return { sequence, inputs_sha256: inputsSha256, previous_hash: previousHash, hash }
}

export function presentBasis(basis: AccuracyBasis): 'live' | 'replay' {
  return basis === 'issued' ? 'live' : 'replay'
}

function presentOutcome({ p10, p50, p90 }: ForecastRecord, actual: number) {
  const error = p50 - actual
  return {
    actual: toNative(actual),
    error: showError(error),
    ...(Math.abs(actual) > NEAR_ZERO && { abs_pct_error: showError(Math.abs(error / actual)) }),
    in_band: p10 <= actual && actual <= p90,
  }
}

function presentErrors(
  basis: AccuracyBasis,
  errors: ForecastErrors,
  recent: ForecastErrors | undefined,
): NonNullable<TrackRecord['summary']> {
  const { benchmark } = errors
  return {
    basis: presentBasis(basis),
    n: errors.n,
    mae: showError(errors.mae),
    ...(errors.mape !== undefined && { mape: showError(errors.mape) }),
    mape_left_out: errors.mapeLeftOut,
    ...(recent?.mape !== undefined && { mape_30d: showError(recent.mape) }),
    bias: showError(errors.bias),
    coverage_80: showError(errors.coverage80),
    pinball: showError(errors.pinball),
    ...(errors.rmae !== undefined && { rmae: showError(errors.rmae) }),
    ...(benchmark && {
      benchmark: {
        name: benchmark.name,
        mae: showError(benchmark.mae),
        coverage_80: showError(benchmark.coverage80),
        pinball: showError(benchmark.pinball),
      },
    }),
  }
}
