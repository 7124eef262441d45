/** The last training of each asset on publishers' prices: its inputs, and the number of days from which another is worthwhile. */
import { type ForecastSubject, zoneOf } from '../market/forecast-scope.ts'
import type { MarketDay } from '../market/market-day.ts'
import type { Sql } from './database.ts'
import { query } from './sql-files.ts'

interface Training {
  asset: ForecastSubject
  /** Hash of the input prices. */
  inputsSha256: string
  /** Number of days of prices at which the asset is retrained, whatever the day of the week. */
  againFromDays: number
}

const COUNT_REAL = query<{ days: number }>('daily_prices_count_real')
const COUNT_REAL_OF_ZONE = query<{ days: number }>('zone_days_count_real')

/** Counts the days with a publisher's price, for hours the complete ones; 0 if the subject's latest price is synthetic. */
export async function countRealDays(
  sql: Sql,
  subject: ForecastSubject,
  { from, to }: { from: MarketDay; to: MarketDay },
): Promise<number> {
  const zone = zoneOf(subject)
  const count = zone === undefined ? COUNT_REAL : COUNT_REAL_OF_ZONE
  const [row] = await count(sql, zone ?? subject, from, to)
  return row?.days ?? 0
}

/** Returns the last training; `ended` is false while it runs, or if it was interrupted. */
export async function lastTraining(
  sql: Sql,
  asset: ForecastSubject,
): Promise<(Training & { ended: boolean }) | undefined> {
  const [row] = await sql<(Training & { ended: boolean })[]>`
    select asset, inputs_sha256 as "inputsSha256", again_from_days as "againFromDays", ended_at is not null as ended
    from forecast_trainings where asset = ${asset}`
  return row
}

/** Returns the last day of prices that a stored model was trained on; undefined if there is no such model. */
export async function lastTrainedDay(sql: Sql, asset: ForecastSubject): Promise<MarketDay | undefined> {
  const [row] = await sql<{ last: string | null }[]>`
    select max(data_to) as last from forecast_artefacts where asset = ${asset} and not synthetic`
  return row?.last ? Temporal.PlainDate.from(row.last) : undefined
}

export async function beginTraining(sql: Sql, training: Training, at: Temporal.Instant): Promise<void> {
  const { asset, inputsSha256, againFromDays } = training
  await sql`
    insert into forecast_trainings (asset, begun_at, inputs_sha256, again_from_days)
    values (${asset}, ${at}::timestamptz, ${inputsSha256}, ${againFromDays})
    on conflict (asset) do update
      set begun_at = excluded.begun_at, ended_at = null, inputs_sha256 = excluded.inputs_sha256, again_from_days = excluded.again_from_days`
}

export async function endTraining(
  sql: Sql,
  { asset, againFromDays }: Pick<Training, 'asset' | 'againFromDays'>,
  at: Temporal.Instant,
): Promise<void> {
  await sql`
    update forecast_trainings set ended_at = ${at}::timestamptz, again_from_days = ${againFromDays}
    where asset = ${asset}`
}
