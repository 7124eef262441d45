-- Values of a fundamental in order of time, as one row of columns (see bulk_intervals_list).
-- $1 series   $2 area   $3 from   $4 to, not included   $5 sources that may be redistributed   $6 instant, as of one
-- index: fundamentals_pkey
select
  count(*)::integer as row_count, $1::text as series, $2::text as area,
  array_agg(date_part('epoch', starts_at) * 1000 order by starts_at) as starts_at,
  array_agg(resolution_minutes::double precision order by starts_at) as resolution_minutes,
  array_agg(value order by starts_at) as value,
  min(unit) as unit,
  -- as of: (select unit from fundamentals where series = $1 and area = $2 limit 1) as unit,
  string_agg(source, ',' order by starts_at) as sources,
  array_agg(ceil(date_part('epoch', known_at) * 1000) order by starts_at) as known_at
from (select * from fundamentals where series = $1 and area = $2) f
-- as of: from fundamental_values_as_of($1::text, $2::text, market_day_of($3::timestamptz), market_day_of($4::timestamptz), $6::timestamptz) f
where starts_at >= $3::timestamptz and starts_at < $4::timestamptz and source = any ($5::text[])
