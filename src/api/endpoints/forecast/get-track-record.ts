import * as z from 'zod'
import { requireAssetBySlug } from '../../../market/assets.ts'
import { ACCURACY_LOOK_BACK_DAYS } from '../../../market/forecast-scope.ts'
import { intervalStart, toRomeIso } from '../../../market/market-day.ts'
import { NATIONAL_ZONE } from '../../../market/zones.ts'
import type { ChainHead } from '../../../store/forecast-ledger.ts'
import type { ForecastErrors, ForecastRecord } from '../../../store/forecasts.ts'
import { invalidParameter } from '../../contract/errors.ts'
import {
  FORECAST_REACH_DAYS,
  type ForecastChain,
  forecastSlug,
  RECORD_BASES,
  type TrackRecord,
  trackRecord,
} from '../../contract/forecasts.ts'
import { hourlyZone } from '../../contract/hourly.ts'
import { type HourlyTrackRecord, hourlyTrackRecord, issueKind } from '../../contract/hourly-forecasts.ts'
import { marketDay, wholeNumber } from '../../contract/parameters.ts'
import type { ReplyTable } from '../../http/csv-table.ts'
import { endpoint } from '../../http/endpoint.ts'
import { lastDayOfPrices } from '../current-price.ts'
import { type Interval, resolveInterval } from '../prices/interval.ts'
import { currentChain } from './current-issue.ts'
import { FORECAST_EXAMPLE_URL } from './examples.ts'
import { findRecords, presentHourlyTrackRecord, presentTrackRecord } from './track-record.ts'

const INTERVAL_DAYS_MAX = 366
const HOURLY_INTERVAL_DAYS_MAX = 31
const HOURLY_LOOK_BACK_DAYS = 60

/** Past forecasts, as issued or replayed, with the actual prices. Decisions: "Forecasts". */
export const getTrackRecord = endpoint({
  id: 'getTrackRecord',
  method: 'get',
  path: '/forecast/track-record',
  tag: 'Forecasts',
  summary: 'Get past forecasts',
  description:
    'Returns past forecasts with the actual prices, one per target day: that of `horizon`, or else the last ' +
    'one before the day. `basis` is `live` for forecasts issued before their day and `replay` for those ' +
    'computed afterwards with only what was known then; if a day has both, the live one is returned. Issued ' +
    'forecasts are never rewritten: `ledger` publishes the last hash of each day, and the fields of a live ' +
    'record are exactly those that its hash covers. `granularity=hour` returns the hours of the PUN or a ' +
    'market zone, from a chain of their own, for up to 31 days. CSV has one row per record, or per hour.',
  plan: 'Open',
  cache: '1h',
  formats: ['json', 'csv'],
  localTimes: true,
  query: z.object({
    asset: forecastSlug.optional().meta({ description: 'The index. Default: pun.', example: 'pun' }),
    from: marketDay.optional().meta({
      description:
        'First target day. Default: 30 days before the default of `to`, or before `to` where that is earlier.',
      example: '2026-10-22',
    }),
    to: marketDay.optional().meta({
      description:
        'Last target day, inclusive; at most 366 days after `from`. Default: today, or the last stored day if prices have ended.',
      example: '2026-11-21',
    }),
    horizon: wholeNumber({
      max: FORECAST_REACH_DAYS,
      description: 'Days from the last known price to the target. Default: the shortest of each day.',
      example: '7',
    }).optional(),
    basis: z
      .enum([...RECORD_BASES, 'all'])
      .default('all')
      .meta({ description: '`live`: issued forecasts only. `replay`: replays only.', example: 'all' }),
    granularity: z
      .enum(['day', 'hour'])
      .default('day')
      .meta({ description: '`hour`: forecasts of hours.', example: 'day' }),
    zone: hourlyZone
      .optional()
      .meta({ description: 'With `granularity=hour`: the zone. Default: nazionale, the PUN.', example: 'nord' }),
    issue: issueKind
      .optional()
      .meta({ description: 'With `granularity=hour`: of this issue. Default: the last of each day.' }),
  }),
  reply: z.union([trackRecord, hourlyTrackRecord]),
  example: exampleRecord(),
  async handle({ query, service, today, now }) {
    const { code } = requireAssetBySlug(query.asset ?? 'pun')
    const interval = resolveInterval(query, await lastDayOfPrices(service.prices, code, today))
    const { to } = interval
    const chain = await currentChain({ service, today, now }, code)
    const { baseUrl } = service.config
    if (query.granularity === 'hour') {
      refuseOtherAsset(code)
      refuseLong(interval, HOURLY_INTERVAL_DAYS_MAX)
      const { zone = NATIONAL_ZONE, issue, horizon: horizonDays } = query
      const span = { ...interval, issue, horizonDays }
      const recent = { ...span, from: to.subtract({ days: HOURLY_LOOK_BACK_DAYS }) }
      const found = await findRecords(service.hourlyForecasts, { chain, code: zone, span, recent }, query.basis)
      const { sourceIds } = await service.zones.intervals(zone, 'hour', interval)
      return presentHourlyTrackRecord(zone, found, sourceIds, baseUrl)
    }
    refuseHourly(query)
    refuseLong(interval, INTERVAL_DAYS_MAX)
    const span = { ...interval, horizonDays: query.horizon }
    const recent = { from: to.subtract({ days: ACCURACY_LOOK_BACK_DAYS }), to, horizonDays: undefined }
    const found = await findRecords(service.forecasts, { chain, code, span, recent }, query.basis)
    const last = await service.prices.latest(code, { notBefore: interval.from, notAfter: to })
    return presentTrackRecord(code, found, last?.sourceIds ?? [], baseUrl)
  },
  table: (reply) => ('zone' in reply ? hourlyTable(reply) : dailyTable(reply)),
})

function dailyTable({ asset, unit, from, to, records, ledger: { chain } }: TrackRecord): ReplyTable {
  return {
    filename: `track_record_${asset.toLowerCase()}_${from}_${to}`,
    columns: [
      ...['asset', 'unit', 'issued_at', 'target_date', 'horizon_days', 'p10', 'p50', 'p90', 'actual', 'error'],
      ...['abs_pct_error', 'in_band', 'model', 'version', 'info_date'],
      ...['chain', 'sequence', 'inputs_sha256', 'previous_hash', 'hash', 'basis', 'as_of', 'made_at'],
    ],
    rows: records.map((record) => ({ asset, unit, ...(record.basis === 'live' && { chain }), ...record })),
  }
}

function hourlyTable({ asset, zone, unit, from, to, records }: HourlyTrackRecord): ReplyTable {
  return {
    filename: `track_record_${zone}_hours_${from}_${to}`,
    columns: [
      ...['asset', 'zone', 'unit', 'issued_at', 'issue', 'target_date', 'hour', 'starts_at', 'horizon_days'],
      ...['p10', 'p50', 'p90', 'actual', 'model', 'version', 'inputs', 'info_date', 'sequence', 'hash'],
      ...['basis', 'as_of', 'made_at'],
    ],
    rows: records.flatMap(({ p10, p50, p90, actual, ...record }) =>
      p50.map((median, i) => ({
        ...record,
        ...{ asset, zone, unit, hour: i + 1, p10: p10[i], p50: median, p90: p90[i] },
        starts_at: toRomeIso(intervalStart(Temporal.PlainDate.from(record.target_date), i + 1, 60)),
        ...(actual && { actual: actual[i] }),
      })),
    ),
  }
}

function refuseLong({ from, to }: Interval, daysMax: number): void {
  const days = from.until(to).days + 1
  if (days > daysMax)
    throw invalidParameter(
      'to',
      `must be at most ${daysMax - 1} days after from (${from}); the interval has ${days} days`,
    )
}

function refuseOtherAsset(code: string): void {
  if (code !== 'PUN') throw invalidParameter('asset', `must be pun with granularity=hour; ${code} has no hours`)
}

function refuseHourly({ zone, issue }: { zone?: string | undefined; issue?: string | undefined }): void {
  if (zone !== undefined) throw invalidParameter('zone', 'needs granularity=hour')
  if (issue !== undefined) throw invalidParameter('issue', 'needs granularity=hour')
}

function exampleRecord(): TrackRecord {
  const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
  const [p10, p50, p90, actual] = [96.4, 112.35, 130.12, 110.9]
  const record: ForecastRecord = {
    basis: 'live',
    sequence: 5401,
    model: 'base',
    version: '1',
    issuedAt: Temporal.Instant.from('2026-11-18T12:02:11Z'),
    infoDate: '2026-11-19',
    targetDate: '2026-11-20',
    horizonDays: 1,
    p10,
    p50,
    p90,
    inputsSha256: hash,
    previousHash: hash,
    hash,
    actual,
  }
  const quantiles = { mae: 9.16, coverage80: 0.77, pinball: 2.7 }
  const errors: ForecastErrors = {
    ...{ n: 1, days: 1, mae: 1.45, mape: 0.013, mapeLeftOut: 0, bias: 1.45, coverage80: 1, pinball: 1.42, rmae: 0.16 },
    benchmark: { name: 'walk', ...quantiles },
  }
  const head: ChainHead = { sequence: 5760, hash, issuedAt: Temporal.Instant.from('2026-11-21T12:02:11Z') }
  const day = Temporal.PlainDate.from('2026-11-20')
  const found = {
    chain: 'issued' as ForecastChain,
    span: { from: day, to: day, horizonDays: undefined },
    records: [record],
    errors,
    basis: 'issued' as const,
    recent: errors,
    head,
    days: [{ day: '2026-11-20', sequence: 5400, hash }],
  }
  return presentTrackRecord('PUN', found, ['gme-mgp'], FORECAST_EXAMPLE_URL)
}
