/** Past forecasts of hours as issued, with the prices that came. */
import { toNative } from '../../../market/price-units.ts'
import type { ZoneCode } from '../../../market/zones.ts'
import type {
  AccuracyBasis,
  HourlyErrors,
  HourlyRecordRow,
  HourlyRecordSpan,
  RecordBasis,
} from '../../../store/forecasts.ts'
import type { ForecastChain } from '../../contract/forecasts.ts'
import type { HourlyTrackRecord } from '../../contract/hourly-forecasts.ts'
import type { HandlerContext } from '../../http/endpoint.ts'
import { attributionText, sourceNames } from '../source-credits.ts'
import { ACCURACY_DAYS, onBasis } from './best-basis.ts'
import { methodologyUrl, showError } from './present.ts'
import { presentBasis, presentChainPlace, presentLedger, presentOrigin } from './present-track-record.ts'

/** Reaches over days that were lost. */
const LOOK_BACK_DAYS = 60

export async function hourlyTrackRecord(
  { service }: HandlerContext,
  chain: ForecastChain,
  { zone, ...span }: HourlyRecordSpan & { zone: ZoneCode },
  requested: RecordBasis,
): Promise<HourlyTrackRecord> {
  const { hourlyForecasts, config } = service
  const recentSpan = { ...span, from: span.to.subtract({ days: LOOK_BACK_DAYS }) }
  const records = await hourlyForecasts.records(chain, zone, span, requested)
  const { basis, found: errors } = await onBasis(
    requested,
    (basis) => hourlyForecasts.errors(chain, zone, span, { basis }),
    (found) => found?.days ?? 0,
  )
  const recent = await hourlyForecasts.errors(chain, zone, recentSpan, { basis, days: ACCURACY_DAYS })
  const [head, days] = [await hourlyForecasts.head(chain), await hourlyForecasts.dayHashes(chain, span)]
  const { sourceIds } = await service.zones.intervals(zone, 'hour', span)
  return {
    asset: 'PUN',
    zone,
    granularity: 'hour',
    unit: '€/MWh',
    from: span.from.toString(),
    to: span.to.toString(),
    ...(span.horizonDays !== undefined && { horizon_days: span.horizonDays }),
    ...(span.issue !== undefined && { issue: span.issue }),
    count: records.length,
    records: records.map(presentRecord),
    ...(errors && { summary: presentErrors(basis, errors, recent) }),
    ledger: presentLedger(chain, head, days),
    methodology: methodologyUrl(config.baseUrl),
    ...(sourceIds.length > 0 && { source: sourceNames(sourceIds) }),
    attribution: attributionText(sourceIds, config.baseUrl),
  }
}

function presentRecord(record: HourlyRecordRow): HourlyTrackRecord['records'][number] {
  return {
    ...presentOrigin(record),
    issue: record.issue,
    target_date: record.targetDate,
    horizon_days: record.horizonDays,
    p10: record.p10,
    p50: record.p50,
    p90: record.p90,
    ...(record.actual && { actual: record.actual.map(toNative) }),
    model: record.model,
    version: record.version,
    inputs: record.inputs,
    info_date: record.infoDate,
    ...presentChainPlace(record),
  }
}

function presentErrors(
  basis: AccuracyBasis,
  { days, n, bias, rmae, benchmark, ...errors }: HourlyErrors,
  recent: HourlyErrors | undefined,
): NonNullable<HourlyTrackRecord['summary']> {
  const quantileErrors = (of: { mae: number; coverage80: number; pinball: number }) => ({
    mae: showError(of.mae),
    coverage_80: showError(of.coverage80),
    pinball: showError(of.pinball),
  })
  return {
    basis: presentBasis(basis),
    days,
    n,
    ...quantileErrors(errors),
    ...(recent && { mae_30d: showError(recent.mae) }),
    bias: showError(bias),
    ...(rmae !== undefined && { rmae: showError(rmae) }),
    ...(benchmark && { benchmark: { name: benchmark.name, ...quantileErrors(benchmark) } }),
  }
}
