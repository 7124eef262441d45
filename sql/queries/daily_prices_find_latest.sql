-- The latest whole day of an index within a span of days, with the source of its value.
-- $1 asset code   $2 first day   $3 last day (inclusive)   index: (zone, starts_at), (asset, market_day)
select market_day, price, observed_at, source_first, source_last, basis
from asset_daily_prices($1::text, $2::date, $3::date)
order by market_day desc
limit 1
