-- Daily means of a fundamental, whole days only.
-- $1 series   $2 areas   $3 first day   $4 last day (inclusive)   index: fundamentals_daily (series, area, starts_at)
select
  area, market_day as day, market_day_start(market_day) as "startsAt", value, known_at as "knownAt", array[source_first, source_last] as sources
from fundamentals_daily
where series = $1::text and area = any($2::text[]) and minutes = expected_minutes
  and starts_at >= market_day_start($3::date) and starts_at < market_day_start($4::date + 1)
order by starts_at, area
