-- The latest day of each series with its source: for each zone the last stored day; for each asset the last daily price (the PUN only
-- if later than every complete day of intervals); for retail offers the last day of each list; for each
-- of the given fundamentals the last day.
-- $1 fundamentals (`series/area`)
-- index: offer_days (source, dataset, day), zone_prices_daily (zone, starts_at), price_intervals (zone, starts_at), daily_prices (asset, market_day),
-- fundamentals_daily (series, starts_at), fundamentals_pkey
select
  'zone:' || z.code as series,
  d.source_last as "sourceId",
  d.market_day as "marketDay",
  d.minutes = d.expected_minutes as complete,
  d.observed_at as "observedAt",
  (select max(p.fetched_at) from price_intervals p
   where p.zone = z.code and p.starts_at >= d.starts_at and p.starts_at < market_day_start(d.market_day + 1)) as "fetchedAt"
from zones z
cross join lateral (
  select * from zone_prices_daily d where d.zone = z.code order by d.starts_at desc limit 1
) d
union all
select a.code, d.source, d.market_day, true, d.observed_at, d.fetched_at
from assets a
cross join lateral (
  select * from daily_prices d where d.asset = a.code order by d.market_day desc limit 1
) d
where a.code <> 'PUN' or not exists (
  select from zone_prices_daily z
  where z.zone = 'nazionale' and z.starts_at >= market_day_start(d.market_day) and z.minutes = z.expected_minutes
)
union all
select 'offers:' || d.dataset, d.source, d.day, true, d.fetched_at, d.fetched_at
from (select distinct on (o.dataset) o.* from offer_days o join sources s on s.id = o.source order by o.dataset, o.day desc, s.priority) d
union all
select 'fundamental:' || u.name, d.source_last, d.market_day, d.minutes = d.expected_minutes, d.known_at,
  (select max(f.fetched_at) from fundamentals f
   where f.series = d.series and f.area = d.area and f.starts_at >= d.starts_at and f.starts_at < market_day_start(d.market_day + 1))
from unnest($1::text[]) as u (name)
cross join lateral (
  select * from fundamentals_daily d
  where d.series = split_part(u.name, '/', 1) and d.area = split_part(u.name, '/', 2) order by d.starts_at desc limit 1
) d
order by series
