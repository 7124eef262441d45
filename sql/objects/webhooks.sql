-- Shared by alerts and change webhooks: due deliveries and the results of attempts. Every function runs in one transaction and takes the
-- current instant as an argument.

create or replace function webhook_may_call(p_kind text, p_status text, p_verification text) returns boolean
language sql immutable parallel safe
return case p_kind
  when 'verification' then true
  when 'test' then p_verification <> 'pending'
  else p_status = 'active' and p_verification <> 'pending'
end;
comment on function webhook_may_call(text, text, text) is
  'Whether a call of that kind may be made: deliveries of a suspended webhook wait, and before the receiver is verified all but the challenge.';

create or replace function webhook_wants(p_webhook webhooks, p_change changes) returns boolean
language sql immutable parallel safe
return change_passes(p_change, (p_webhook).kinds, (p_webhook).datasets, (p_webhook).key_root)
  and ((p_webhook).zones is null or (p_change).zones is null or (p_change).zones && (p_webhook).zones);
comment on function webhook_wants(webhooks, changes) is 'Whether a webhook is called about a change, wherever it started.';

-- Writes the deliveries of the next changes, in order, and advances the queue's position in the same transaction: each change is queued
-- exactly once per webhook, even after a crash. Deliveries of suspended webhooks are queued, too, and wait.
create or replace function queue_changes(p_now timestamptz, p_give_up_at timestamptz, p_most integer, p_request_id text default null)
returns table (changes_read bigint, deliveries_written bigint)
language plpgsql volatile as $$
declare
  v_after bigint;
  v_last bigint;
begin
  select q.position into v_after from change_queue q for update;
  v_last := least(readable_changes(), v_after + p_most);
  with roots as materialized (
    select distinct w.key_root from webhooks w where w.kinds is not null
  ), holders as (
    select r.key_root from roots r where api_key_of_root(r.key_root, p_now) is not null
  ), subscribed as (
    select w as webhook, w.id, w.starts_after from webhooks w join holders h using (key_root) where w.kinds is not null for no key update of w
  ), events as (
    insert into webhook_events (webhook_id, kind, market_day, change, triggered_at)
    select s.id, 'changed', c.market_day, to_jsonb(c) - 'key_root', p_now
    from changes c join subscribed s on c.position > s.starts_after and webhook_wants(s.webhook, c)
    where c.position > v_after and c.position <= v_last
    order by c.position
    returning id, webhook_id
  ), deliveries as (
    insert into webhook_deliveries (id, event_id, webhook_id, created_at, next_attempt_at, give_up_at, request_id)
    select 'dlv_' || substr(id, length('msg_') + 1), id, webhook_id, p_now, p_now, p_give_up_at, p_request_id from events
    returning 1
  )
  select v_last - v_after, (select count(*) from deliveries) into changes_read, deliveries_written;
  update change_queue set position = v_last;
  return next;
end $$;
comment on function queue_changes(timestamptz, timestamptz, integer, text) is
  'Writes deliveries of up to p_most changes to the webhooks that want them; returns how many it has read and written.';

-- Without up-to-date statistics, for example just after an insert, the planner would join and sort all pending deliveries to return a few.
-- Without sorts, it walks the index, which is already in order.
create or replace function due_webhook_deliveries(p_now timestamptz, p_busy_hosts text[], p_most integer)
returns table (id text, next_attempt_at timestamptz, host text)
language sql stable set enable_sort = off as $$
  select d.id, d.next_attempt_at, w.host
  from webhook_deliveries d
  join webhooks w on w.id = d.webhook_id
  join webhook_events e on e.id = d.event_id
  where d.status = 'pending' and d.next_attempt_at <= p_now and d.give_up_at >= p_now
    and (d.claimed_until is null or d.claimed_until <= p_now)
    and webhook_may_call(e.kind, w.status, w.verification)
    and w.host <> all (p_busy_hosts)
  order by d.next_attempt_at
  limit p_most
$$;
comment on function due_webhook_deliveries(timestamptz, text[], integer) is
  'Unclaimed deliveries that are due, the longest due first, none of hosts that are busy.';

-- Crossings that waited for the verification are sent if they are still current.
create or replace function verify_webhook(p_key_root text, p_url text, p_now timestamptz) returns void
language sql volatile as $$
  update webhook_deliveries d set status = 'failed', next_attempt_at = null, claimed_until = null, finished_at = p_now
  from webhooks w, webhook_events e
  where w.key_root = p_key_root and w.url = p_url and w.verification = 'pending'
    and e.webhook_id = w.id and e.kind = 'triggered' and e.market_day < alert_first_current_day(w.asset, p_now)
    and d.event_id = e.id and d.status = 'pending';
  update webhooks set verification = 'verified'
  where key_root = p_key_root and url = p_url and verification = 'pending';
$$;
comment on function verify_webhook(text, text, timestamptz) is
  'The receiver has sent a challenge back, or confirmed a mail: all of the owner''s webhooks that call it may do so. Crossings of past days are given up.';

-- Records the result of an attempt. The caller decides the schedule: p_next is the instant of the next attempt, null after the last.
create or replace function record_webhook_attempt(
  p_delivery text, p_started_at timestamptz, p_duration_ms integer, p_outcome text, p_status_code integer, p_detail text,
  p_next timestamptz, p_failures_max integer, p_now timestamptz
) returns text
language plpgsql volatile as $$
declare
  delivery webhook_deliveries;
  webhook webhooks;
  event_kind text;
begin
  select * into delivery from webhook_deliveries where id = p_delivery;
  if not found then return 'deleted'; end if;
  select * into webhook from webhooks where id = delivery.webhook_id for update;
  select * into delivery from webhook_deliveries where id = p_delivery for update;
  if not found then return 'deleted'; end if;
  select e.kind into event_kind from webhook_events e where e.id = delivery.event_id;

  insert into webhook_attempts (delivery_id, number, started_at, duration_ms, outcome, status_code, detail)
  values (p_delivery, delivery.attempts + 1, p_started_at, p_duration_ms, p_outcome, p_status_code, p_detail);

  -- The claim of this attempt had expired, and another worker has recorded the outcome: a late failure does not change it.
  if p_outcome <> 'delivered' and delivery.status <> 'pending' then
    update webhook_deliveries set attempts = delivery.attempts + 1 where id = p_delivery;
    return 'failed';
  end if;

  update webhook_deliveries set
    attempts = delivery.attempts + 1,
    claimed_until = null,
    status = case when p_outcome = 'delivered' then 'delivered' when p_next is null then 'failed' else 'pending' end,
    next_attempt_at = case when p_outcome <> 'delivered' then p_next end,
    finished_at = case when p_outcome = 'delivered' or p_next is null then p_now end
  where id = p_delivery;

  if p_outcome = 'delivered' then
    update webhooks set consecutive_failures = 0 where id = webhook.id and status = 'active' and consecutive_failures > 0;
    -- Who has received a mail has not agreed to more.
    if event_kind = 'verification' and webhook.url not like 'mailto:%' then
      perform verify_webhook(webhook.key_root, webhook.url, p_now);
    end if;
    return 'delivered';
  end if;
  if event_kind not in ('triggered', 'changed') or webhook.status = 'suspended' then return 'failed'; end if;

  update webhooks set
    consecutive_failures = consecutive_failures + 1,
    status = case when p_outcome = 'gone' or consecutive_failures + 1 >= p_failures_max then 'suspended' else status end,
    suspended_at = case when p_outcome = 'gone' or consecutive_failures + 1 >= p_failures_max then p_now end,
    suspended_because = case
      when p_outcome = 'gone' then 'gone'
      when consecutive_failures + 1 >= p_failures_max then 'failures'
    end
  where id = webhook.id
  returning * into webhook;
  return case webhook.status when 'suspended' then 'suspended' else 'failed' end;
end $$;
comment on function record_webhook_attempt(text, timestamptz, integer, text, integer, text, timestamptz, integer, timestamptz) is
  'Records an attempt and returns delivered, failed, suspended (by this attempt) or deleted.';
