-- The day-ahead market has cleared in quarter-hours since 1 October 2025; since then, hourly prices alone are incomplete.
create or replace function market_resolution_minutes(day date) returns integer
language sql immutable strict parallel safe
return case when day >= date '2025-10-01' then 15 else 60 end;
comment on function market_resolution_minutes(date) is 'Length in which the day-ahead market cleared the day: 60, and 15 since 2025-10-01.';

-- The market days of a source that are complete: every zone over all minutes, every asset, every list of offers and every fundamental
-- (`series/area`), each from this source or a better one. One query for all days, since planning dominates the cost.
create or replace function source_whole_days(
  p_source text, p_zones text[], p_assets text[], p_lists text[], p_fundamentals text[], p_days date[]
)
returns table (market_day date)
language sql stable as $$
  select d.day
  from unnest(p_days) as d (day)
  where not exists (
    select from zones z
    where z.code = any (p_zones) and d.day >= z.valid_from and (z.valid_to is null or d.day <= z.valid_to)
      and not exists (
        select from price_intervals p
        where p.zone = z.code and p.starts_at >= market_day_start(d.day) and p.starts_at < market_day_start(d.day + 1)
          and p.source = any (array(select g.id from sources g, sources own where own.id = p_source and g.priority <= own.priority))
        having sum(p.resolution_minutes) = market_day_minutes(d.day)
          and max(p.resolution_minutes) <= market_resolution_minutes(d.day)
      )
  ) and not exists (
    select from unnest(p_assets) as a (code)
    where not exists (
      select from daily_prices p
      where p.asset = a.code and p.market_day = d.day
        and p.source = any (array(select g.id from sources g, sources own where own.id = p_source and g.priority <= own.priority))
    )
  ) and not exists (
    select from unnest(p_lists) as l (dataset)
    where not exists (
      select from offer_days o
      where o.dataset = l.dataset and o.day = d.day
        and o.source = any (array(select g.id from sources g, sources own where own.id = p_source and g.priority <= own.priority))
    )
  ) and not exists (
    select from unnest(p_fundamentals) as u (name)
    where not exists (
      select from fundamentals f
      where f.series = split_part(u.name, '/', 1) and f.area = split_part(u.name, '/', 2)
        and f.starts_at >= market_day_start(d.day) and f.starts_at < market_day_start(d.day + 1)
        and f.source = any (array(select g.id from sources g, sources own where own.id = p_source and g.priority <= own.priority))
      having sum(f.resolution_minutes) = market_day_minutes(d.day)
    )
  )
$$;
comment on function source_whole_days(text, text[], text[], text[], text[], date[]) is
  'Those of the market days that are complete from the source or from one of the same or a lower priority number.';

-- The days that are missing and may be requested at the instant, newest first. Reads the aggregates and the daily prices; the aggregates
-- may lag behind values just stored.
create or replace function source_holes(
  p_source text, p_zones text[], p_assets text[], p_lists text[], p_fundamentals text[], p_days date[], p_at timestamptz, p_limit integer
)
returns table (market_day date)
language sql stable as $$
  with own as materialized (
    select priority from sources where id = p_source
  ), zones_there as (
    select d.market_day, count(*) as zones
    from zone_prices_daily d
    join sources f on f.id = d.source_first and f.priority <= (select priority from own)
    join sources l on l.id = d.source_last and l.priority <= (select priority from own)
    where d.zone = any (p_zones) and d.minutes = d.expected_minutes
      and d.intervals * market_resolution_minutes(d.market_day) >= d.minutes
      and d.starts_at >= market_day_start((select min(day) from unnest(p_days) day))
    group by d.market_day
  ), whole as (
    select t.market_day
    from zones_there t
    where cardinality(p_assets) = 0 and cardinality(p_lists) = 0 and cardinality(p_fundamentals) = 0 and t.zones = (
      select count(*) from zones z
      where z.code = any (p_zones) and t.market_day >= z.valid_from and (z.valid_to is null or t.market_day <= z.valid_to)
    )
    union all
    select p.market_day
    from daily_prices p join sources s on s.id = p.source and s.priority <= (select priority from own)
    where p.asset = any (p_assets) and cardinality(p_zones) = 0 and cardinality(p_lists) = 0
    group by p.market_day
    having count(*) = cardinality(p_assets)
    union all
    select o.day
    from offer_days o join sources s on s.id = o.source and s.priority <= (select priority from own)
    where o.dataset = any (p_lists) and cardinality(p_zones) = 0 and cardinality(p_assets) = 0
    group by o.day
    having count(distinct o.dataset) = cardinality(p_lists)
    union all
    select f.market_day
    from unnest(p_fundamentals) as u (name)
    join fundamentals_daily f on f.series = split_part(u.name, '/', 1) and f.area = split_part(u.name, '/', 2)
    join sources s on s.id = f.source_first and s.priority <= (select priority from own)
    join sources l on l.id = f.source_last and l.priority <= (select priority from own)
    where f.minutes = f.expected_minutes
    group by f.market_day
    having count(*) = cardinality(p_fundamentals)
  ), left_alone as (
    select b.market_day from publications b where b.source = p_source and b.ask_again_at > p_at
  )
  select day from unnest(p_days) day
  where day not in (select w.market_day from whole w) and day not in (select l.market_day from left_alone l)
  order by day desc
  limit p_limit
$$;
comment on function source_holes(text, text[], text[], text[], text[], date[], timestamptz, integer) is
  'The newest p_limit of the days that are incomplete and may be requested now.';

-- Records the corrected and the quarantined days of a batch of documents from one source, in the transaction that stored it. A correction
-- replaces a value by another from the same source at the same resolution. A day is recorded as quarantined once, however many of its
-- documents are rejected.
create or replace function note_source_events(
  p_source text, p_document_ids bigint[], p_zones text[], p_first date, p_last date, p_at timestamptz
)
returns void
language sql as $$
  insert into source_events (source, kind, market_day, occurred_at, facts)
  select p_source, 'corrected', r.market_day, p_at, jsonb_build_object('series', array_agg(distinct r.series order by r.series), 'values', count(*))
  from (
    select i.market_day, 'zone:' || i.zone as series
    from price_interval_revisions i
    join price_intervals p on p.zone = i.zone and p.starts_at = i.starts_at and p.resolution_minutes = i.resolution_minutes
    where i.zone = any (p_zones) and i.starts_at >= market_day_start(p_first) and i.starts_at < market_day_start(p_last + 1)
      and p.zone = any (p_zones) and p.starts_at >= market_day_start(p_first) and p.starts_at < market_day_start(p_last + 1)
      and i.superseded_at = p_at and i.superseded_by = any (p_document_ids) and i.source = p_source
    union all
    select d.market_day, 'asset:' || d.asset
    from daily_price_revisions d
    where d.market_day between p_first and p_last
      and d.superseded_at = p_at and d.superseded_by = any (p_document_ids) and d.source = p_source
  ) r
  group by r.market_day
  on conflict on constraint source_events_once do nothing;

  insert into source_events (source, kind, market_day, occurred_at, facts)
  select p_source, 'quarantined', q.market_day, p_at,
         jsonb_build_object(
           'series', array_agg(distinct q.series order by q.series), 'reasons', array_agg(distinct reason order by reason)
         )
  from quarantined_days q cross join lateral unnest(q.reasons) as reason
  where q.document_id = any (p_document_ids) and q.source = p_source and q.status = 'open' and q.quarantined_at = p_at
    and not exists (
      select from source_events e
      where e.source = p_source and e.kind = 'quarantined' and e.closed_at is null and e.market_day is not distinct from q.market_day
    )
  group by q.market_day
  on conflict on constraint source_events_once do nothing;
$$;
comment on function note_source_events(text, bigint[], text[], date, date, timestamptz) is
  'Writes the corrected and quarantined days of a batch to source_events.';
