/** Evaluates the alerts: sql/objects/alerts.sql says when one fires. */
import type { Sql } from './database.ts'
import type { DeliverySpan } from './webhook-events.ts'

export interface JudgedDay {
  asset: string
  day: string
  fired: number
}

/** Evaluates the days published since the last call; events and deliveries are written in the same transaction. */
export async function detectCrossings(
  sql: Sql,
  { now, giveUpAt, requestId }: DeliverySpan & { requestId?: string | undefined },
): Promise<JudgedDay[]> {
  return sql<JudgedDay[]>`
    select asset, market_day as day, fired
    from detect_alert_crossings(${now.toString()}::timestamptz, ${giveUpAt.toString()}::timestamptz, ${requestId ?? null})`
}
