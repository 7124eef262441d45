-- Hours of a fundamental as they were known at an instant, `infinity` for now; hours that are not whole are left out.
-- $1 series   $2 area   $3 first day   $4 last day (inclusive)   $5 instant   index: fundamentals_pkey
select
  min(market_day) as market_day, date_trunc('hour', starts_at) as starts_at,
  sum(value * resolution_minutes) / 60 as value, max(known_at) as known_at, array_agg(distinct source) as sources
from fundamental_values_as_of($1::text, $2::text, $3::date, $4::date, $5::timestamptz)
group by date_trunc('hour', starts_at)
having sum(resolution_minutes) = 60
order by 2
