-- Mean prices of the stored days nearest to a day, at most 60 days from it, without sample data. The PUN is stored by interval, or by
-- day where its intervals are not known.
-- $1 zone or null   $2 asset or null   $3 day   $4 how many   index: price_intervals (zone, starts_at), daily_prices (asset, market_day)
with real_sources as (
  select id from sources where not synthetic
), levels as (
  select market_day, avg(price_eur_mwh) as level
  from price_intervals
  where zone = $1::text
    and starts_at >= market_day_start($3::date - 60) and starts_at < market_day_start($3::date + 61)
    and source in (select id from real_sources)
  group by market_day
  union all
  select market_day, price
  from daily_prices
  where asset = $2::text and market_day between $3::date - 60 and $3::date + 60
    and source in (select id from real_sources)
)
select market_day as day, level
from levels
where market_day <> $3::date
order by abs(market_day - $3::date), market_day
limit $4::integer
