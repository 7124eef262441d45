-- The latest corrections of an index: when a day's values were replaced, how many, and the day's price before and after, null if the day
-- was not whole. Corrections of the PUN are those of its intervals and of daily values stated by a source.
-- $1 asset code   $2 first day   $3 how many at most   index: primary keys of the revisions; (zone, starts_at), (asset, market_day)
with changes as (
  select r.market_day, r.superseded_at, count(*)::int as replaced
  from price_interval_revisions r
  where $1::text = 'PUN' and r.zone = 'nazionale' and r.starts_at >= market_day_start($2::date)
  group by r.market_day, r.superseded_at
  union all
  select r.market_day, r.superseded_at, 1
  from daily_price_revisions r
  where r.asset = $1::text and r.market_day >= $2::date
), latest as (
  select market_day, superseded_at, sum(replaced)::int as replaced
  from changes
  group by market_day, superseded_at
  order by superseded_at desc, market_day desc
  limit $3::int
)
select l.market_day as day, l.superseded_at as "correctedAt", l.replaced, before.price as before, after.price as after
from latest l
left join lateral asset_daily_prices_as_of($1::text, l.market_day, l.market_day, l.superseded_at - interval '1 microsecond') before on true
left join lateral asset_daily_prices_as_of($1::text, l.market_day, l.market_day, l.superseded_at) after on true
order by l.superseded_at desc, l.market_day desc
