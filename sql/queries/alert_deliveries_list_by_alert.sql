-- The latest deliveries of an alert, the newest first, each with its attempts in order.
-- $1 alert   $2 how many   index: alert_events_once_a_day, alert_deliveries_event
select
  d.id, d.event_id as "eventId", e.kind, e.market_day as day, d.status, d.created_at as "createdAt",
  d.next_attempt_at as "nextAttemptAt", d.finished_at as "finishedAt",
  coalesce((
    select jsonb_agg(jsonb_build_object(
      'number', a.number, 'startedAt', a.started_at, 'durationMs', a.duration_ms, 'outcome', a.outcome,
      'statusCode', a.status_code, 'detail', a.detail
    ) order by a.number)
    from alert_attempts a where a.delivery_id = d.id
  ), '[]') as attempts
from alert_deliveries d
join alert_events e on e.id = d.event_id
where e.alert_id = $1::text
order by d.created_at desc, d.id
limit $2::integer
