-- The first and last whole day of an index within a span of days; null if there is none.
-- $1 asset code   $2 first day   $3 last day (inclusive)   index: (zone, starts_at), (asset, market_day)
select min(market_day)::text as first_day, max(market_day)::text as last_day
from asset_daily_prices($1::text, $2::date, $3::date)
