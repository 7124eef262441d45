-- Claims due deliveries for a while, the longest due first, up to a limit per host and none of busy hosts;
-- returns what is needed to make the calls.
-- $1 now   $2 claimed until   $3 most of all   $4 most of one host   $5 hosts that are busy   index: alert_deliveries_due
with due as (
  select *, row_number() over (partition by webhook_host order by next_attempt_at, id) as place
  from due_alert_deliveries($1::timestamptz, $5::text[], 4 * $3::integer)
),
chosen as (
  select d.id from alert_deliveries d
  where d.id in (select id from due where place <= $4::integer order by next_attempt_at, id limit $3::integer)
  for update skip locked
)
update alert_deliveries d set claimed_until = $2::timestamptz
from chosen c, alert_events e, alerts a
where d.id = c.id and e.id = d.event_id and a.id = d.alert_id
returning
  d.id as "deliveryId", d.request_id as "requestId", d.attempts, d.give_up_at as "giveUpAt", e.id as "eventId", e.kind, e.market_day as day,
  e.price_eur_mwh as price, e.challenge, e.triggered_at as "triggeredAt", a.id as "alertId", a.asset, a.condition, a.threshold,
  a.webhook_url as url, a.webhook_host as host, a.secret,
  case when a.previous_secret_until > $1::timestamptz then a.previous_secret end as "previousSecret"
