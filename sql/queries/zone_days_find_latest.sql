-- The latest market day not after a day for which a zone is whole, and the first one there is.
-- $1 zone   $2 last day (inclusive)   index: zone_prices_daily (zone, starts_at)
select
  (select market_day from zone_prices_daily
   where zone = $1::text and starts_at <= market_day_start($2::date) and minutes = expected_minutes
   order by starts_at desc limit 1) as latest,
  (select market_day from zone_prices_daily where zone = $1::text order by starts_at limit 1) as earliest
