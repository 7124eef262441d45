-- Correlation of the returns of each pair of indices, over the window that ends on the last day, not after $3, on which all of them are
-- known; one row per pair with a day in common. If an index has no prices, the day is null and there are no pairs.
-- $1 asset codes   $2 window in days   $3 day   index: zone_prices_daily (zone, starts_at), daily_prices (asset, market_day)
select latest.last_day, c.asset_a, c.asset_b, c.returns, c.correlation, c.sources
from (select latest_common_day($1::text[], $3::date) as last_day offset 0) latest
left join lateral return_correlations($1::text[], $2::integer, latest.last_day) c on true
