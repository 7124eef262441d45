/** Webhook events (crossings, changes, tests), and their deliveries as the owner sees them. */

import type { ChangeKind } from '../api/contract/changes.ts'
import { type AttemptOutcome, CALLS_PER_MINUTE, type WebhookEventKind } from '../api/contract/webhooks.ts'
import type { Sql, Transaction } from './database.ts'
import { run, runOne } from './run.ts'
import { query } from './sql-files.ts'

const LIST_BY_WEBHOOK = query<DeliveryRecord>('webhook_deliveries_list_by_webhook')
/** Window for at most CALLS_PER_MINUTE requested calls. */
const WINDOW_SECONDS = 60

export interface DeliverySpan {
  now: Temporal.Instant
  /** After this instant, deliveries are no longer attempted. */
  giveUpAt: Temporal.Instant
}

/** Writes deliveries of the next changes to the webhooks that subscribe to them; returns the number of changes and of deliveries. */
export async function queueChanges(
  sql: Sql,
  { now, giveUpAt, maxChanges, requestId }: DeliverySpan & { maxChanges: number; requestId?: string | undefined },
): Promise<{ changes: number; deliveries: number }> {
  const [row] = await sql<{ changes: number; deliveries: number }[]>`
    select changes_read as changes, deliveries_written as deliveries
    from queue_changes(${now}::timestamptz, ${giveUpAt}::timestamptz, ${maxChanges}::integer, ${requestId ?? null})`
  if (row === undefined) throw new Error('queue_changes returned nothing')
  return row
}

export interface DeliveryRecord {
  id: string
  eventId: string
  webhookId: string
  kind: WebhookEventKind
  /** For an event about a change. */
  changeKind: ChangeKind | null
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

/** Check first that the caller owns the webhook. */
export async function listDeliveries(sql: Sql, webhookId: string, maxCount: number): Promise<DeliveryRecord[]> {
  return LIST_BY_WEBHOOK(sql, webhookId, maxCount)
}

export async function findDelivery(sql: Sql, webhookId: string, id: string): Promise<DeliveryRecord | undefined> {
  const [row] = await sql<DeliveryRecord[]>`
    select d.id, d.event_id as "eventId", d.webhook_id as "webhookId", e.kind, e.change ->> 'kind' as "changeKind", e.market_day as day, d.status, d.created_at as "createdAt",
      d.next_attempt_at as "nextAttemptAt", d.finished_at as "finishedAt", '[]'::jsonb as attempts
    from webhook_deliveries d join webhook_events e on e.id = d.event_id
    where e.webhook_id = ${webhookId} and d.id = ${id}`
  return row
}

/** A call requested by the owner. */
export interface CallRequest extends DeliverySpan {
  webhookId: string
  requestId: string | undefined
}

/** The delivery or, if the webhook has used up its calls of the last minute, when the next one may be requested. */
export type CallResult = { deliveryId: string } | { retryAfterSeconds: number }

/** Inserts a test with the latest price of an alert's index, or with the latest change that a webhook subscribes to. */
export function insertTest(sql: Sql, asking: CallRequest): Promise<CallResult> {
  const { now } = asking
  return requestCall(sql, asking, async (tx) => {
    const events = await tx<{ id: string }[]>`
      insert into webhook_events (webhook_id, kind, market_day, price_eur_mwh, hours, change, triggered_at)
      select w.id, 'test', coalesce(p.market_day, c.day), alert_value(w.granularity, w.condition, p.price_eur_mwh, p.lowest_hour, p.highest_hour),
        case w.granularity when 'hour' then alert_hours(w.asset, p.market_day, w.condition, w.threshold) end, c.change, ${now}::timestamptz
      from webhooks w
      left join lateral (
        select * from alert_prices(w.asset, market_day_of(${now}::timestamptz) - 7, market_day_of(${now}::timestamptz) + 7)
        order by market_day desc limit 1
      ) p on w.asset is not null
      left join lateral (
        select c.market_day as day, to_jsonb(c) - 'key_root' as change from changes c
        where c.position <= readable_changes() and webhook_wants(w, c)
        order by c.position desc limit 1
      ) c on w.kinds is not null
      where w.id = ${asking.webhookId}
      returning id`
    return insertDelivery(tx, { ...asking, eventId: writtenId(events) })
  })
}

/** Resends an event: `webhook-id` and body are those of the first delivery. */
export function insertReplay(sql: Sql, { eventId, ...asking }: CallRequest & { eventId: string }): Promise<CallResult> {
  return requestCall(sql, asking, (tx) => insertDelivery(tx, { ...asking, eventId }))
}

export function insertChallenge(
  sql: Sql,
  { challenge, ...asking }: CallRequest & { challenge: string },
): Promise<CallResult> {
  return requestCall(sql, asking, (tx) => writeChallenge(tx, { ...asking, challenge }))
}

/** The transaction must have written or locked the webhook. Returns the id of the delivery. */
export async function writeChallenge(
  tx: Transaction,
  { challenge, ...asking }: CallRequest & { challenge: string },
): Promise<string> {
  const { webhookId: webhook_id, now: triggered_at } = asking
  const events = await run(tx, (db) =>
    db
      .insertInto('webhook_events')
      .values({ webhook_id, kind: 'verification', challenge, triggered_at })
      .returning('id'),
  )
  return insertDelivery(tx, { ...asking, eventId: writtenId(events) })
}

/** Locks the webhook, so that concurrent requests in any process neither exceed the limit nor write to a deleted webhook. */
function requestCall(
  sql: Sql,
  { webhookId, now }: CallRequest,
  insert: (tx: Transaction) => Promise<string>,
): Promise<CallResult> {
  return sql.begin(async (tx: Transaction): Promise<CallResult> => {
    const locked = await runOne(tx, (db) =>
      db.selectFrom('webhooks').select('id').where('id', '=', webhookId).forNoKeyUpdate(),
    )
    if (locked === undefined) throw new Error(`the webhook ${webhookId} was deleted meanwhile`)
    const full = await runOne(tx, (db) =>
      db
        .selectFrom('webhook_events as e')
        .innerJoin('webhook_deliveries as d', 'd.event_id', 'e.id')
        .select('d.created_at as since')
        .where('e.webhook_id', '=', webhookId)
        .where('d.created_at', '>', now.subtract({ seconds: WINDOW_SECONDS }))
        // The first delivery of a crossing or a change has the digits of its event: nobody requested it.
        .where(({ eb, fn, val }) => eb('d.id', '<>', fn<string>('replace', ['e.id', val('msg_'), val('dlv_')])))
        .orderBy('d.created_at', 'desc')
        .limit(1)
        .offset(CALLS_PER_MINUTE - 1),
    )
    if (full === undefined) return { deliveryId: await insert(tx) }
    const over = full.since.add({ seconds: WINDOW_SECONDS })
    return { retryAfterSeconds: Math.max(1, Math.ceil(now.until(over).total('seconds'))) }
  })
}

async function insertDelivery(
  tx: Transaction,
  { eventId, webhookId, now, giveUpAt, requestId }: CallRequest & { eventId: string },
): Promise<string> {
  const deliveries = await run(tx, (db) =>
    db
      .insertInto('webhook_deliveries')
      .values({
        event_id: eventId,
        webhook_id: webhookId,
        created_at: now,
        next_attempt_at: now,
        give_up_at: giveUpAt,
        request_id: requestId ?? null,
      })
      .returning('id'),
  )
  return writtenId(deliveries)
}

function writtenId([row]: { id: string }[]): string {
  if (row === undefined) throw new Error('a row was not written')
  return row.id
}
