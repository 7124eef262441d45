-- The latest deliveries of a webhook, the newest first, each with its attempts in order.
-- $1 webhook   $2 how many   index: webhook_events_once_a_day, webhook_deliveries_event
select
  d.id, d.event_id as "eventId", d.webhook_id as "webhookId", e.kind, e.change ->> 'kind' as "changeKind", e.market_day as day, d.status, d.created_at as "createdAt",
  d.next_attempt_at as "nextAttemptAt", d.finished_at as "finishedAt",
  coalesce((
    select jsonb_agg(jsonb_build_object(
      'number', a.number, 'startedAt', a.started_at, 'durationMs', a.duration_ms, 'outcome', a.outcome,
      'statusCode', a.status_code, 'detail', a.detail
    ) order by a.number)
    from webhook_attempts a where a.delivery_id = d.id
  ), '[]') as attempts
from webhook_deliveries d
join webhook_events e on e.id = d.event_id
where e.webhook_id = $1::text
order by d.created_at desc, d.id
limit $2::integer
