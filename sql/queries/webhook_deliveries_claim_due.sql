-- Claims due deliveries until $2, the longest due first, up to a limit per host and none of busy hosts;
-- returns the data needed to send them.
-- $1 now   $2 claimed until   $3 most of all   $4 most of one host   $5 hosts that are busy   $6 most of mail
-- index: webhook_deliveries_due
with due as (
  select *, row_number() over (partition by host order by next_attempt_at, id) as place
  from due_webhook_deliveries($1::timestamptz, $5::text[], 4 * $3::integer)
),
-- The conditions are repeated because the lock may be on a newer row version than the snapshot's: another worker may have claimed it since.
chosen as (
  select d.id from webhook_deliveries d
  where d.id in (select id from due where place <= case host when 'mail' then $6::integer else $4::integer end order by next_attempt_at, id limit $3::integer)
    and d.status = 'pending' and d.next_attempt_at <= $1::timestamptz and (d.claimed_until is null or d.claimed_until <= $1::timestamptz)
  for update skip locked
)
update webhook_deliveries d set claimed_until = $2::timestamptz
from chosen c, webhook_events e, webhooks w, change_log l
where d.id = c.id and e.id = d.event_id and w.id = d.webhook_id
returning
  d.id as "deliveryId", d.request_id as "requestId", d.attempts, d.give_up_at as "giveUpAt", e.id as "eventId", e.kind, e.market_day as day,
  e.price_eur_mwh as price, e.hours, e.change, l.log_id as "logId", e.challenge, e.triggered_at as "triggeredAt", w.id as "webhookId", w.asset,
  w.condition, w.threshold, w.granularity, w.body, w.language, w.url, w.host, w.secret,
  case when w.previous_secret_until > $1::timestamptz then w.previous_secret end as "previousSecret"
