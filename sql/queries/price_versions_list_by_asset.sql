-- Every version that a day's price of an asset has had, whole days only: for the PUN with its intervals by ordinal. A day without
-- intervals has the price a source states for it.
-- $1 asset code   $2 first day   index: price_intervals (zone, starts_at), daily_prices (asset, market_day)
with ends as (
  select r.market_day, r.superseded_at as until
  from price_interval_revisions r
  where $1::text = 'PUN' and r.zone = 'nazionale' and r.starts_at >= market_day_start($2::date)
  group by r.market_day, r.superseded_at
), interval_versions as (
  select i.market_day, 'infinity'::timestamptz as until, i.ordinal, i.resolution_minutes, i.price_eur_mwh, i.fetched_at, i.source
  from price_intervals i
  where $1::text = 'PUN' and i.zone = 'nazionale' and i.starts_at >= market_day_start($2::date)
  union all
  select e.market_day, e.until, i.ordinal, i.resolution_minutes, i.price_eur_mwh, i.fetched_at, i.source
  from ends e
  join price_intervals i on i.zone = 'nazionale' and i.market_day = e.market_day and i.fetched_at < e.until
  where i.starts_at >= market_day_start($2::date)
  union all
  select e.market_day, e.until, r.ordinal, r.resolution_minutes, r.price_eur_mwh, r.fetched_at, r.source
  from ends e
  join price_interval_revisions r
    on r.zone = 'nazionale' and r.market_day = e.market_day and r.fetched_at < e.until and r.superseded_at >= e.until
  where r.starts_at >= market_day_start($2::date)
), whole_days as (
  select v.market_day, v.until, sum(v.price_eur_mwh * v.resolution_minutes) / sum(v.resolution_minutes) as price,
         array_agg(v.price_eur_mwh order by v.ordinal) as intervals, max(v.fetched_at) as fetched_at,
         bool_or(v.source in (select id from sources where synthetic)) as synthetic
  from interval_versions v
  group by v.market_day, v.until
  having sum(v.resolution_minutes) = market_day_minutes(v.market_day)
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
