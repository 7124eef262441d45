-- Hours of a fundamental as they were known at an instant, `infinity` for now; whole hours only.
-- $1 series   $2 areas   $3 first day   $4 last day (inclusive)   $5 instant   index: fundamentals_pkey
select
  area, min(market_day) as day, date_trunc('hour', starts_at) as "startsAt",
  sum(value * resolution_minutes) / 60 as value, max(known_at) as "knownAt", array_agg(distinct source) as sources
from unnest($2::text[]) as a (area), fundamental_values_as_of($1::text, a.area, $3::date, $4::date, $5::timestamptz)
group by area, date_trunc('hour', starts_at)
having sum(resolution_minutes) = 60
order by 3, 1
