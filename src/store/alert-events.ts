/** What alerts tell: crossings that were detected, tests, and their deliveries as their owner sees them. */
import type { AttemptOutcome } from '../api/contract/alerts.ts'
import type { Sql, Transaction } from './database.ts'
import { query } from './sql-files.ts'

const LIST_BY_ALERT = query('alert_deliveries_list_by_alert')
/** How long a test or a replay may wait for a worker. */
const TEST_HOURS = 1
const REPLAY_HOURS = 24

export interface JudgedDay {
  asset: string
  day: string
  fired: number
}

/** Judges the days published since the last call; events and deliveries are written in the same transaction. */
export async function detectCrossings(
  sql: Sql,
  now: Temporal.Instant,
  requestId: string | undefined = undefined,
): Promise<JudgedDay[]> {
  return sql<JudgedDay[]>`
    select asset, market_day as day, fired from detect_alert_crossings(${now.toString()}::timestamptz, ${requestId ?? null})`
}

export interface DeliveryRecord {
  id: string
  eventId: string
  kind: 'triggered' | 'test'
  day: string | null
  status: 'pending' | 'delivered' | 'failed'
  createdAt: Temporal.Instant
  nextAttemptAt: Temporal.Instant | null
  finishedAt: Temporal.Instant | null
  attempts: {
    number: number
    /** ISO 8601. */
    startedAt: string
    durationMs: number
    outcome: AttemptOutcome
    statusCode: number | null
    detail: string | null
  }[]
}

/** Of an alert the caller has been found to own. */
export async function listDeliveries(sql: Sql, alertId: string, most: number): Promise<DeliveryRecord[]> {
  return sql.unsafe<DeliveryRecord[]>(LIST_BY_ALERT, [alertId, most], { prepare: true })
}

export async function findDelivery(sql: Sql, alertId: string, id: string): Promise<DeliveryRecord | undefined> {
  const [row] = await sql<DeliveryRecord[]>`
    select d.id, d.event_id as "eventId", e.kind, e.market_day as day, d.status, d.created_at as "createdAt",
      d.next_attempt_at as "nextAttemptAt", d.finished_at as "finishedAt", '[]'::jsonb as attempts
    from alert_deliveries d join alert_events e on e.id = d.event_id
    where e.alert_id = ${alertId} and d.id = ${id}`
  return row
}

/** A test of the alert with the latest price of its index; returns the id of its delivery. */
export async function insertTest(
  sql: Sql,
  { alertId, now, requestId }: { alertId: string; now: Temporal.Instant; requestId: string | undefined },
): Promise<string> {
  const until = now.add({ hours: TEST_HOURS })
  return sql.begin(async (tx: Transaction) => {
    const [event] = await tx<{ id: string }[]>`
      insert into alert_events (alert_id, kind, market_day, price_eur_mwh, triggered_at)
      select a.id, 'test', p.market_day, p.price_eur_mwh, ${now.toString()}::timestamptz
      from alerts a
      left join lateral (
        select * from alert_prices(a.asset, market_day_of(${now.toString()}::timestamptz) - 7, market_day_of(${now.toString()}::timestamptz) + 7)
        order by market_day desc limit 1
      ) p on true
      where a.id = ${alertId}
      for key share of a
      returning id`
    if (event === undefined) throw new Error(`the alert ${alertId} was deleted meanwhile`)
    return insertDelivery(tx, { eventId: event.id, alertId, now, until, requestId })
  })
}

/** Another sending of the same event: its `webhook-id` and body are those of the first. */
export async function insertReplay(sql: Sql, about: Omit<NewDelivery, 'until'>): Promise<string> {
  const until = about.now.add({ hours: REPLAY_HOURS })
  return sql.begin((tx: Transaction) => insertDelivery(tx, { ...about, until }))
}

interface NewDelivery {
  eventId: string
  alertId: string
  now: Temporal.Instant
  /** Given up then. */
  until: Temporal.Instant
  requestId: string | undefined
}

async function insertDelivery(
  tx: Transaction,
  { eventId, alertId, now, until, requestId }: NewDelivery,
): Promise<string> {
  const [delivery] = await tx<{ id: string }[]>`
    insert into alert_deliveries (event_id, alert_id, created_at, next_attempt_at, give_up_at, request_id)
    select e.id, a.id, ${now.toString()}::timestamptz, ${now.toString()}::timestamptz, ${until.toString()}::timestamptz, ${requestId ?? null}
    from alerts a join alert_events e on e.alert_id = a.id
    where a.id = ${alertId} and e.id = ${eventId}
    for key share of a
    returning id`
  if (delivery === undefined) throw new Error(`the alert ${alertId} was deleted meanwhile`)
  return delivery.id
}
