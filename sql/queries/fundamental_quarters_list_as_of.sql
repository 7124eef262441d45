-- Quarter-hours of a fundamental as they were known at an instant, `infinity` for now; none if its source has hours.
-- $1 series   $2 areas   $3 first day   $4 last day (inclusive)   $5 instant   index: fundamentals_pkey
select area, market_day as day, starts_at as "startsAt", value, known_at as "knownAt", array[source] as sources
from unnest($2::text[]) as a (area), fundamental_values_as_of($1::text, a.area, $3::date, $4::date, $5::timestamptz)
where resolution_minutes = 15
order by starts_at, area
