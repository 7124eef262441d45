-- Alerts: publications, crossings, and the results of delivery attempts. Every function is one transaction's work and takes the
-- instant as an argument.

-- The price is the published one, of six decimals: the mean of 24 hours at 110.1 is a little less in binary numbers, and
-- below 110.1 it is not. numeric takes 15 digits of a number, which drops such noise.
create or replace function alert_prices(p_asset text, p_from date, p_to date)
returns table (market_day date, price_eur_mwh double precision)
language sql stable parallel safe as $$
  select market_day, round(price::numeric, 6)::double precision
  from asset_daily_prices(upper(p_asset), p_from, p_to) where p_asset in ('pun', 'psv', 'ttf')
  union all
  select market_day, round(price_eur_mwh::numeric, 6)::double precision
  from zone_prices_daily
  where p_asset like 'pun-zona-%' and zone = substr(p_asset, length('pun-zona-') + 1)
    and starts_at >= market_day_start(p_from) and starts_at < market_day_start(p_to + 1)
    and minutes = expected_minutes
$$;
comment on function alert_prices(text, date, date) is 'Daily prices of an asset that alerts can be set on, as they are published; whole days only.';

-- How old a day may be and still be news: PUN and zones come out a day ahead; the gas day is priced on its eve or, late, on the day;
-- a trading day's settlement may come after a long weekend.
create or replace function alert_first_current_day(p_asset text, p_now timestamptz) returns date
language sql immutable strict parallel safe
return market_day_of(p_now) - case p_asset when 'psv' then 1 when 'ttf' then 4 else 0 end;
comment on function alert_first_current_day(text, timestamptz) is 'Days before this one are past: new values for them trigger no alert.';

create or replace function alert_is_met(p_condition text, p_threshold double precision, p_price double precision, p_previous double precision)
returns boolean
language sql immutable parallel safe
return case p_condition
  when 'above' then p_price > p_threshold
  when 'below' then p_price < p_threshold
  -- Against a previous price of 0 there is no percentage. The rounding error of a division must not reduce a rise of 5 %.
  when 'change_pct' then coalesce(
    (p_price - p_previous) / nullif(abs(p_previous), 0) * 100 * sign(p_threshold) >= abs(p_threshold) - 1e-9, false)
end;
comment on function alert_is_met(text, double precision, double precision, double precision) is
  'Whether a price meets a condition; p_previous is the price of the previous market day, needed for change_pct.';

create or replace function alert_may_call(p_kind text, p_status text, p_verification text) returns boolean
language sql immutable parallel safe
return case p_kind
  when 'verification' then true
  when 'test' then p_verification <> 'pending'
  else p_status = 'active' and p_verification <> 'pending'
end;
comment on function alert_may_call(text, text, text) is
  'Whether a call of that kind may be made: deliveries of a suspended alert wait, and before the receiver is verified all but the challenge.';

-- Evaluates the alerts on every current day that is new or has a new value, in order; writes events and deliveries. Days are evaluated by one
-- transaction at a time, so a day cannot trigger an alert twice, and an alert fires at most once for a market day.
create or replace function detect_alert_crossings(p_now timestamptz, p_give_up_at timestamptz, p_request_id text default null)
returns table (asset text, market_day date, fired bigint)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  publication record;
  previous double precision;
  fired_now bigint;
begin
  perform pg_advisory_xact_lock(hashtext('detect_alert_crossings'));
  for publication in
    insert into alert_days as d (asset, market_day, price_eur_mwh, published_at)
    select a.asset, p.market_day, p.price_eur_mwh, p_now
    from unnest(array['pun', 'psv', 'ttf'] || array(select 'pun-zona-' || code from zones where kind = 'market')) as a (asset)
    cross join lateral alert_prices(a.asset, alert_first_current_day(a.asset, p_now), market_day_of(p_now) + 7) p
    order by a.asset, p.market_day
    on conflict on constraint alert_days_pkey do update
      set price_eur_mwh = excluded.price_eur_mwh, published_at = excluded.published_at
      where d.price_eur_mwh is distinct from excluded.price_eur_mwh
    returning d.asset, d.market_day, d.price_eur_mwh
  loop
    select p.price_eur_mwh into previous
    from alert_prices(publication.asset, publication.market_day - 7, publication.market_day - 1) p
    order by p.market_day desc
    limit 1;

    -- Distinct first: a condition on a group is pushed down to its rows, and would look up the key of each alert.
    with roots as materialized (
      select distinct key_root from alerts a where a.asset = publication.asset and a.status = 'active'
    ),
    holders as (
      select key_root from roots where api_key_of_root(key_root, p_now) is not null
    ),
    -- Locked, so that a concurrent deletion or suspension is waited for and its alert left out.
    evaluated as (
      select a.id, a.condition, a.threshold, f.first_day
      from alerts a
      join holders h using (key_root)
      left join alert_first_days f on f.alert_id = a.id
      where a.asset = publication.asset and a.status = 'active' and a.created_at <= p_now
        and (f.first_day is null or f.first_day <= publication.market_day)
      for no key update of a
    ),
    begun as (
      insert into alert_first_days (alert_id, first_day)
      select j.id, publication.market_day from evaluated j where j.first_day is null
    ),
    events as (
      insert into alert_events as e (alert_id, kind, market_day, price_eur_mwh, triggered_at)
      select j.id, 'triggered', publication.market_day, publication.price_eur_mwh, p_now
      from evaluated j
      where alert_is_met(j.condition, j.threshold, publication.price_eur_mwh, previous)
        and (
          j.condition = 'change_pct'
          or coalesce(j.first_day, publication.market_day) = publication.market_day
          or previous is null
          or not alert_is_met(j.condition, j.threshold, previous, null)
        )
      on conflict (alert_id, (case when kind = 'triggered' then market_day end)) do nothing
      returning e.id, e.alert_id
    ),
    deliveries as (
      -- The first delivery of an event shares its random digits: ten thousand more take a while.
      insert into alert_deliveries (id, event_id, alert_id, created_at, next_attempt_at, give_up_at, request_id)
      select 'dlv_' || substr(id, length('msg_') + 1), id, alert_id, p_now, p_now, p_give_up_at, p_request_id from events
      returning id
    )
    select count(*) into fired_now from deliveries;
    asset := publication.asset;
    market_day := publication.market_day;
    fired := fired_now;
    return next;
  end loop;
end $$;
comment on function detect_alert_crossings(timestamptz, timestamptz, text) is
  'Evaluates the alerts on days published since the last call; returns each such day with the number of alerts it triggered. Their deliveries are tried until p_give_up_at.';

-- Without statistics, as for rows written a moment ago, the planner would join everything that waits, sort it, and keep
-- the first few; it should walk the index, which is in order.
create or replace function due_alert_deliveries(p_now timestamptz, p_busy_hosts text[], p_most integer)
returns table (id text, next_attempt_at timestamptz, webhook_host text)
language sql stable set enable_sort = off as $$
  select d.id, d.next_attempt_at, a.webhook_host
  from alert_deliveries d
  join alerts a on a.id = d.alert_id
  join alert_events e on e.id = d.event_id
  where d.status = 'pending' and d.next_attempt_at <= p_now and d.give_up_at >= p_now
    and (d.claimed_until is null or d.claimed_until <= p_now)
    and alert_may_call(e.kind, a.status, a.verification)
    and a.webhook_host <> all (p_busy_hosts)
  order by d.next_attempt_at
  limit p_most
$$;
comment on function due_alert_deliveries(timestamptz, text[], integer) is
  'Unclaimed deliveries that are due, the longest due first, none of hosts that are busy.';

-- Crossings that waited for it are sent if they are still current.
create or replace function verify_alert_webhook(p_key_root text, p_url text, p_now timestamptz) returns void
language sql volatile as $$
  update alert_deliveries d set status = 'failed', next_attempt_at = null, claimed_until = null, finished_at = p_now
  from alerts a, alert_events e
  where a.key_root = p_key_root and a.webhook_url = p_url and a.verification = 'pending'
    and e.alert_id = a.id and e.kind = 'triggered' and e.market_day < alert_first_current_day(a.asset, p_now)
    and d.event_id = e.id and d.status = 'pending';
  update alerts set verification = 'verified'
  where key_root = p_key_root and webhook_url = p_url and verification = 'pending';
$$;
comment on function verify_alert_webhook(text, text, timestamptz) is
  'The receiver has sent a challenge back: all of the owner''s alerts that call it may do so. Crossings of past days are given up.';

-- The result of an attempt. The caller decides the schedule: p_next is the instant of the next attempt, null after the last.
create or replace function record_alert_attempt(
  p_delivery text, p_started_at timestamptz, p_duration_ms integer, p_outcome text, p_status_code integer, p_detail text,
  p_next timestamptz, p_failures_max integer, p_now timestamptz
) returns text
language plpgsql volatile as $$
declare
  delivery alert_deliveries;
  alert alerts;
  event_kind text;
begin
  select * into delivery from alert_deliveries where id = p_delivery;
  if not found then return 'deleted'; end if;
  select * into alert from alerts where id = delivery.alert_id for update;
  select * into delivery from alert_deliveries where id = p_delivery for update;
  if not found then return 'deleted'; end if;
  select e.kind into event_kind from alert_events e where e.id = delivery.event_id;

  insert into alert_attempts (delivery_id, number, started_at, duration_ms, outcome, status_code, detail)
  values (p_delivery, delivery.attempts + 1, p_started_at, p_duration_ms, p_outcome, p_status_code, p_detail);

  update alert_deliveries set
    attempts = delivery.attempts + 1,
    claimed_until = null,
    status = case when p_outcome = 'delivered' then 'delivered' when p_next is null then 'failed' else 'pending' end,
    next_attempt_at = case when p_outcome <> 'delivered' then p_next end,
    finished_at = case when p_outcome = 'delivered' or p_next is null then p_now end
  where id = p_delivery;

  if p_outcome = 'delivered' then
    update alerts set consecutive_failures = 0 where id = alert.id and status = 'active' and consecutive_failures > 0;
    if event_kind = 'verification' then perform verify_alert_webhook(alert.key_root, alert.webhook_url, p_now); end if;
    return 'delivered';
  end if;
  if event_kind <> 'triggered' or alert.status = 'suspended' then return 'failed'; end if;

  update alerts set
    consecutive_failures = consecutive_failures + 1,
    status = case when p_outcome = 'gone' or consecutive_failures + 1 >= p_failures_max then 'suspended' else status end,
    suspended_at = case when p_outcome = 'gone' or consecutive_failures + 1 >= p_failures_max then p_now end,
    suspended_because = case
      when p_outcome = 'gone' then 'gone'
      when consecutive_failures + 1 >= p_failures_max then 'failures'
    end
  where id = alert.id
  returning * into alert;
  return case alert.status when 'suspended' then 'suspended' else 'failed' end;
end $$;
comment on function record_alert_attempt(text, timestamptz, integer, text, integer, text, timestamptz, integer, timestamptz) is
  'Records an attempt and returns delivered, failed, suspended (by this attempt) or deleted.';
