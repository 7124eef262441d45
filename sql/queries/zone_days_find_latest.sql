-- The latest whole market day of a zone that is not after a day; one row, null if there is none.
-- $1 zone   $2 last day (inclusive)   index: zone_prices_daily (zone, starts_at)
select (
  select market_day
  from zone_prices_daily
  where zone = $1::text and starts_at <= market_day_start($2::date) and minutes = expected_minutes
  order by starts_at desc
  limit 1
) as latest
