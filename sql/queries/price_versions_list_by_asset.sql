-- Every version of the daily prices of an asset, whole days only; for the PUN with its intervals by ordinal. A day without
-- intervals has the price stated by a source.
-- $1 asset code   $2 first day   index: price_intervals (zone, starts_at), daily_prices (asset, market_day)
with whole_days as (
  select * from zone_day_versions(case when $1::text = 'PUN' then 'nazionale' end, $2::date)
), stated as (
  select d.market_day, 'infinity'::timestamptz as until, d.price, d.fetched_at, d.source
  from daily_prices d where d.asset = $1::text and d.market_day >= $2::date
  union all
  select r.market_day, r.superseded_at, r.price, r.fetched_at, r.source
  from daily_price_revisions r where r.asset = $1::text and r.market_day >= $2::date
), versions as (
  select market_day, until, price, intervals, fetched_at, synthetic from whole_days
  union all
  select s.market_day, s.until, s.price, null, s.fetched_at, s.source in (select id from sources where synthetic)
  from stated s
  where s.market_day not in (select market_day from whole_days)
)
select
  market_day as day, price, intervals, (extract(epoch from fetched_at) * 1000)::double precision as "fetchedAtMs", synthetic
from versions
order by market_day, until
