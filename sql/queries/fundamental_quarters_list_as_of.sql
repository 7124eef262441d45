-- Quarter-hours of a fundamental as they were known at an instant, `infinity` for now; none where its source has hours.
-- $1 series   $2 area   $3 first day   $4 last day (inclusive)   $5 instant   index: fundamentals_pkey
select market_day, starts_at, value, known_at, array[source] as sources
from fundamental_values_as_of($1::text, $2::text, $3::date, $4::date, $5::timestamptz)
where resolution_minutes = 15
order by starts_at
