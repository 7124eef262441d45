-- Daily prices of an index with the statistics of the span, as one row: two arrays in order of day, so that twenty years are
-- two values.   $1 asset code   $2 first day   $3 last day (inclusive)   $4 instant, as of one
-- index: (zone, starts_at), (asset, market_day)
with days as (
  select market_day, price, source_first, source_last, basis
  from asset_daily_prices($1::text, $2::date, $3::date)
  -- as of: from asset_daily_prices_as_of($1::text, $2::date, $3::date, $4::timestamptz)
  order by market_day
)
select
  array_agg(market_day order by market_day) as days,
  array_agg(price order by market_day) as prices,
  array_agg(market_day) filter (where basis = 'daily_mean') as mean_days,
  min(price) as minimum,
  max(price) as maximum,
  avg(price) as average,
  array_agg(distinct source_first) || array_agg(distinct source_last) as sources
from days
