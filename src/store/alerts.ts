/** Evaluates the alerts: sql/objects/alerts.sql says when one fires. */
import type { AlertAsset, AlertCondition, AlertGranularity } from '../api/contract/alerts.ts'
import type { Sql } from './database.ts'
import { query } from './sql-files.ts'
import type { DeliverySpan } from './webhook-events.ts'

export interface EvaluatedDay {
  asset: string
  day: string
  fired: number
}

/** Evaluates the days published since the last call; events and deliveries are written in the same transaction. */
export async function detectCrossings(
  sql: Sql,
  { now, giveUpAt, requestId }: DeliverySpan & { requestId?: string | undefined },
): Promise<EvaluatedDay[]> {
  return sql<EvaluatedDay[]>`
    select asset, market_day as day, fired
    from detect_alert_crossings(${now}::timestamptz, ${giveUpAt}::timestamptz, ${requestId ?? null})`
}

export interface AlertRule {
  asset: AlertAsset
  condition: AlertCondition
  /** €/MWh, or percent for `change_pct`. */
  threshold: number
  granularity: AlertGranularity
}

export interface AlertDay {
  day: string
  /** €/MWh: the price of the day, or of its lowest or highest hour. */
  value: number
}

const LIST_DAYS = query<AlertDay>('alert_days_list')

/** Returns the last `most` days of the span on which the alert would have fired, latest first. */
export async function alertDays(
  sql: Sql,
  { asset, condition, threshold, granularity }: AlertRule,
  { from, to, most }: { from: string; to: string; most: number },
): Promise<AlertDay[]> {
  return LIST_DAYS(sql, asset, condition, threshold, granularity, from, to, most)
}
