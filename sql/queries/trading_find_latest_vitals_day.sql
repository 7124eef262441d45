-- The latest market day, not after $1, for which all prices of the vitals are known; one row, null if there is none.
-- index: zone_prices_daily (zone, starts_at), daily_prices (asset, market_day)
select latest_vitals_day($1::date) as latest
