-- Alerts on publications and threshold crossings. Every function runs in one transaction and takes the current instant as an argument.

create or replace function alert_zone(p_asset text) returns text
language sql immutable strict parallel safe
return case when p_asset = 'pun' then 'nazionale' when p_asset like 'pun-zona-%' then substr(p_asset, length('pun-zona-') + 1) end;
comment on function alert_zone(text) is 'The zone whose prices they are; null for gas, which has no hours.';

-- Alerts on the auctions that cover whole days, and on final imbalance prices.
create or replace function alert_market(p_asset text, out series text, out area text)
language sql immutable strict parallel safe as $$
  select m[1] || '-price', m[2] from regexp_match(p_asset, '^(mi-a1|mi-a2|imbalance)-(.+)$') as m
$$;
comment on function alert_market(text) is 'The series and area of an asset such as mi-a1-nord or imbalance-macro-sud; null for any other.';

-- Rounds to the six decimals that are published: in binary floating point, the mean of 24 hours at 110.1 is slightly less than 110.1
-- and would be below a threshold of 110.1. The cast to numeric keeps 15 digits, which drops this noise. For ordering, numeric is
-- enough: converting back to double precision takes twice as long as the rounding.
create or replace function published_decimal(p_price double precision) returns numeric
language sql immutable strict parallel safe
return round(p_price::numeric, 6);

create or replace function published_price(p_price double precision) returns double precision
language sql immutable strict parallel safe
return published_decimal(p_price)::double precision;

create or replace function alert_prices(p_asset text, p_from date, p_to date)
returns table (market_day date, price_eur_mwh double precision, lowest_hour double precision, highest_hour double precision)
language sql stable parallel safe as $$
  select p.market_day, published_price(p.price), published_price(z.hour_min_eur_mwh), published_price(z.hour_max_eur_mwh)
  from asset_daily_prices(upper(p_asset), p_from, p_to) p
  left join zone_prices_daily z
    on p.basis = 'intervals' and z.zone = 'nazionale' and z.starts_at = market_day_start(p.market_day)
  where p_asset in ('pun', 'psv', 'ttf')
  union all
  select market_day, published_price(price_eur_mwh), published_price(hour_min_eur_mwh), published_price(hour_max_eur_mwh)
  from zone_prices_daily
  where p_asset like 'pun-zona-%' and zone = alert_zone(p_asset)
    and starts_at >= market_day_start(p_from) and starts_at < market_day_start(p_to + 1)
    and minutes = expected_minutes
  union all
  select d.market_day, published_price(d.value), published_price(d.hour_min), published_price(d.hour_max)
  from alert_market(p_asset) m
  join fundamentals_daily d on d.series = m.series and d.area = m.area
  where d.starts_at >= market_day_start(p_from) and d.starts_at < market_day_start(p_to + 1) and d.minutes = d.expected_minutes
$$;
comment on function alert_prices(text, date, date) is
  'Daily prices of an asset that alerts can be set on, as they are published, with the lowest and the highest hour where hours are known; whole days only.';

-- Maximum age of a day that can trigger alerts: PUN and zones are published a day ahead; the gas day is priced the day before or, late,
-- on the day itself; a settlement price may be published after a long weekend;
-- imbalance prices are final on the next day.
create or replace function alert_first_current_day(p_asset text, p_now timestamptz) returns date
language sql immutable strict parallel safe
return market_day_of(p_now) - case when p_asset = 'psv' or p_asset like 'imbalance-%' then 1 when p_asset = 'ttf' then 4 else 0 end;
comment on function alert_first_current_day(text, timestamptz) is 'Days before this one are past: new values for them trigger no alert.';

create or replace function alert_is_met(p_condition text, p_threshold double precision, p_price double precision, p_previous double precision)
returns boolean
language sql immutable parallel safe
return case p_condition
  when 'above' then p_price > p_threshold
  when 'below' then p_price < p_threshold
  -- A change from a previous price of 0 has no percentage. The tolerance keeps rounding errors of the division from hiding a rise of 5 %.
  when 'change_pct' then coalesce(
    (p_price - p_previous) / nullif(abs(p_previous), 0) * 100 * sign(p_threshold) >= abs(p_threshold) - 1e-9, false)
end;
comment on function alert_is_met(text, double precision, double precision, double precision) is
  'Whether a price meets a condition; p_previous is the price of the previous market day, needed for change_pct.';

create or replace function alert_value(
  p_granularity text, p_condition text, p_price double precision, p_lowest_hour double precision, p_highest_hour double precision
) returns double precision
language sql immutable parallel safe
return case when p_granularity = 'day' then p_price when p_condition = 'below' then p_lowest_hour else p_highest_hour end;
comment on function alert_value(text, text, double precision, double precision, double precision) is
  'What is compared with the threshold: the day''s price, or its lowest or highest hour.';

-- The hours of a day that meet a condition.
create or replace function alert_hours(p_asset text, p_day date, p_condition text, p_threshold double precision) returns timestamptz[]
language sql stable strict parallel safe
return array(
  select h.starts_at from zone_prices_hourly h
  where h.zone = alert_zone(p_asset) and h.starts_at >= market_day_start(p_day) and h.starts_at < market_day_start(p_day + 1)
    and alert_is_met(p_condition, p_threshold, published_price(h.price_eur_mwh), null)
  union all
  select h.starts_at from alert_market(p_asset) m join fundamentals_hourly h on h.series = m.series and h.area = m.area
  where h.starts_at >= market_day_start(p_day) and h.starts_at < market_day_start(p_day + 1)
    and alert_is_met(p_condition, p_threshold, published_price(h.value), null)
  order by 1
);

-- Evaluates the alerts on every current day that is new or has a new value, in order, and writes events and deliveries. Only one
-- transaction evaluates days at a time, so a day cannot trigger an alert twice; an alert fires at most once per market day.
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
    insert into alert_days as d (asset, market_day, price_eur_mwh, lowest_hour, highest_hour, published_at)
    select a.asset, p.market_day, p.price_eur_mwh, p.lowest_hour, p.highest_hour, p_now
    from unnest(
      array['pun', 'psv', 'ttf', 'imbalance-macro-nord', 'imbalance-macro-sud']
      || array(select p.prefix || z.code from zones z, unnest(array['pun-zona-', 'mi-a1-', 'mi-a2-']) as p (prefix) where z.kind = 'market')
    ) as a (asset)
    cross join lateral alert_prices(a.asset, alert_first_current_day(a.asset, p_now), market_day_of(p_now) + 7) p
    order by a.asset, p.market_day
    on conflict on constraint alert_days_pkey do update
      set price_eur_mwh = excluded.price_eur_mwh, lowest_hour = excluded.lowest_hour, highest_hour = excluded.highest_hour,
          published_at = excluded.published_at
      where d.price_eur_mwh is distinct from excluded.price_eur_mwh
        or d.lowest_hour <> excluded.lowest_hour or d.highest_hour <> excluded.highest_hour
    returning d.asset, d.market_day, d.price_eur_mwh, d.lowest_hour, d.highest_hour
  loop
    select p.price_eur_mwh into previous
    from alert_prices(publication.asset, publication.market_day - 7, publication.market_day - 1) p
    order by p.market_day desc
    limit 1;

    -- Distinct first: a condition on a group is pushed down to its rows, and would look up the key of each alert.
    with roots as materialized (
      select distinct key_root from webhooks a where a.asset = publication.asset and a.status = 'active'
    ),
    holders as (
      select key_root from roots where api_key_of_root(key_root, p_now) is not null
    ),
    -- Locked, so that a concurrent deletion or suspension is waited for and its alert left out.
    evaluated as (
      select a.id, a.condition, a.threshold, a.granularity, f.first_day
      from webhooks a
      join holders h using (key_root)
      left join alert_first_days f on f.webhook_id = a.id
      where a.asset = publication.asset and a.status = 'active' and a.created_at <= p_now
        and (f.first_day is null or f.first_day <= publication.market_day)
      for no key update of a
    ),
    begun as (
      insert into alert_first_days (webhook_id, first_day)
      select j.id, publication.market_day from evaluated j where j.first_day is null
    ),
    events as (
      insert into webhook_events as e (webhook_id, kind, market_day, price_eur_mwh, hours, triggered_at)
      select j.id, 'triggered', publication.market_day, v.price,
             case j.granularity when 'hour' then alert_hours(publication.asset, publication.market_day, j.condition, j.threshold) end, p_now
      from evaluated j
      cross join lateral alert_value(
        j.granularity, j.condition, publication.price_eur_mwh, publication.lowest_hour, publication.highest_hour
      ) as v (price)
      where alert_is_met(j.condition, j.threshold, v.price, previous)
        and (
          j.granularity = 'hour'
          or j.condition = 'change_pct'
          or coalesce(j.first_day, publication.market_day) = publication.market_day
          or previous is null
          or not alert_is_met(j.condition, j.threshold, previous, null)
        )
      on conflict (webhook_id, (case when kind = 'triggered' then market_day end)) do nothing
      returning e.id, e.webhook_id
    ),
    deliveries as (
      -- The first delivery of an event shares its random digits: ten thousand more take a while.
      insert into webhook_deliveries (id, event_id, webhook_id, created_at, next_attempt_at, give_up_at, request_id)
      select 'dlv_' || substr(id, length('msg_') + 1), id, webhook_id, p_now, p_now, p_give_up_at, p_request_id from events
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
