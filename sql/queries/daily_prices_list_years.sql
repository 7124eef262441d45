-- Daily prices of an index by calendar year, in order of day, without the statistics of the span.
-- $1 asset code   $2 first day   $3 last day (inclusive)   index: zone_prices_yearly (zone, starts_at), (asset, market_day)
select market_days as days, prices, sources
from asset_price_years($1::text, $2::date, $3::date)
