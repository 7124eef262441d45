/** Events of alerts: detected crossings, tests, and their deliveries as the owner sees them. */
import { type AlertEventKind, type AttemptOutcome, CALLS_PER_MINUTE } from '../api/contract/alerts.ts'
import type { Sql, Transaction } from './database.ts'
import { query } from './sql-files.ts'

const LIST_BY_ALERT = query('alert_deliveries_list_by_alert')
/** In which at most CALLS_PER_MINUTE calls may be requested. */
const WINDOW_SECONDS = 60

export interface JudgedDay {
  asset: string
  day: string
  fired: number
}

interface DeliverySpan {
  now: Temporal.Instant
  /** After which deliveries are not tried any more. */
  giveUpAt: Temporal.Instant
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

export interface DeliveryRecord {
  id: string
  eventId: string
  kind: AlertEventKind
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

/** A call requested by the owner of an alert. */
export interface AskingForCall extends DeliverySpan {
  alertId: string
  requestId: string | undefined
}

/** Its delivery; or, once the alert has used up its calls of the last minute, when the next may be requested. */
export type AskedCall = { deliveryId: string } | { retryAfterSeconds: number }

/** A test of the alert with the latest price of its index. */
export function insertTest(sql: Sql, asking: AskingForCall): Promise<AskedCall> {
  const now = asking.now.toString()
  return askForCall(sql, asking, async (tx) => {
    const events = await tx<{ id: string }[]>`
      insert into alert_events (alert_id, kind, market_day, price_eur_mwh, triggered_at)
      select a.id, 'test', p.market_day, p.price_eur_mwh, ${now}::timestamptz
      from alerts a
      left join lateral (
        select * from alert_prices(a.asset, market_day_of(${now}::timestamptz) - 7, market_day_of(${now}::timestamptz) + 7)
        order by market_day desc limit 1
      ) p on true
      where a.id = ${asking.alertId}
      returning id`
    return insertDelivery(tx, { ...asking, eventId: writtenId(events) })
  })
}

/** Resends an event: `webhook-id` and body are those of the first delivery. */
export function insertReplay(
  sql: Sql,
  { eventId, ...asking }: AskingForCall & { eventId: string },
): Promise<AskedCall> {
  return askForCall(sql, asking, (tx) => insertDelivery(tx, { ...asking, eventId }))
}

export function insertChallenge(
  sql: Sql,
  { challenge, ...asking }: AskingForCall & { challenge: string },
): Promise<AskedCall> {
  return askForCall(sql, asking, (tx) => writeChallenge(tx, { ...asking, challenge }))
}

/** Of an alert that the transaction has written or locked; returns the id of its delivery. */
export async function writeChallenge(
  tx: Transaction,
  { challenge, ...asking }: AskingForCall & { challenge: string },
): Promise<string> {
  const events = await tx<{ id: string }[]>`
    insert into alert_events (alert_id, kind, challenge, triggered_at)
    values (${asking.alertId}, 'verification', ${challenge}, ${asking.now.toString()}::timestamptz)
    returning id`
  return insertDelivery(tx, { ...asking, eventId: writtenId(events) })
}

/** Under a lock on the alert: concurrent requests in any process cannot exceed the limit, nor write to a deleted alert. */
function askForCall(
  sql: Sql,
  { alertId, now }: AskingForCall,
  insert: (tx: Transaction) => Promise<string>,
): Promise<AskedCall> {
  return sql.begin(async (tx: Transaction): Promise<AskedCall> => {
    const locked = await tx`select from alerts where id = ${alertId} for no key update`
    if (locked.count === 0) throw new Error(`the alert ${alertId} was deleted meanwhile`)
    const [full] = await tx<{ since: Temporal.Instant }[]>`
      select d.created_at as since
      from alert_events e join alert_deliveries d on d.event_id = e.id
      where e.alert_id = ${alertId} and d.created_at > ${now.subtract({ seconds: WINDOW_SECONDS }).toString()}::timestamptz
      order by d.created_at desc
      offset ${CALLS_PER_MINUTE - 1} limit 1`
    if (full === undefined) return { deliveryId: await insert(tx) }
    const over = full.since.add({ seconds: WINDOW_SECONDS })
    return { retryAfterSeconds: Math.max(1, Math.ceil(now.until(over).total('seconds'))) }
  })
}

async function insertDelivery(
  tx: Transaction,
  { eventId, alertId, now, giveUpAt, requestId }: AskingForCall & { eventId: string },
): Promise<string> {
  const at = now.toString()
  const deliveries = await tx<{ id: string }[]>`
    insert into alert_deliveries (event_id, alert_id, created_at, next_attempt_at, give_up_at, request_id)
    values (${eventId}, ${alertId}, ${at}::timestamptz, ${at}::timestamptz, ${giveUpAt.toString()}::timestamptz, ${requestId ?? null})
    returning id`
  return writtenId(deliveries)
}

function writtenId([row]: { id: string }[]): string {
  if (row === undefined) throw new Error('a row was not written')
  return row.id
}
