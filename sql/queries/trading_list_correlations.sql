-- Correlation of the returns of each pair of indices over the window that ends on the last day which all of them have reached, not
-- after a day; a row per pair, and one without a pair where no pair has a common day. No row where an index has no prices.
-- $1 asset codes   $2 window in days   $3 day   index: zone_prices_daily (zone, starts_at), daily_prices (asset, market_day)
with reached as materialized (
  select min(latest) as last_day
  from (select latest_price_day(asset, $3::date) as latest from unnest($1::text[]) as asset) each
  having count(latest) = cardinality($1::text[])
)
select r.last_day, c.asset_a, c.asset_b, c.returns, c.correlation, c.sources
from reached r
left join lateral return_correlations($1::text[], $2::integer, r.last_day) c on true
