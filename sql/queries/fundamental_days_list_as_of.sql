-- The result of fundamental_days_list as of an instant.
-- $1 series   $2 areas   $3 first day   $4 last day (inclusive)   $5 instant   index: fundamentals_pkey
select
  area, market_day as day, market_day_start(market_day) as "startsAt", sum(value * resolution_minutes) / sum(resolution_minutes) as value,
  max(known_at) as "knownAt", array_agg(distinct source) as sources
from unnest($2::text[]) as a (area), fundamental_values_as_of($1::text, a.area, $3::date, $4::date, $5::timestamptz)
group by area, market_day
having sum(resolution_minutes) = market_day_minutes(market_day)
order by market_day, area
