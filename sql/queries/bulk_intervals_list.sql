-- Intervals of a zone in order of time, as one row of columns: far fewer values to transfer and parse than one row per interval.
-- $1 zone   $2 from   $3 to, not included   $4 sources that may be passed on   $5 instant, as of one
-- date_part, since the numeric arithmetic of extract takes as long as all the rest; the half microsecond compensates for binary fractions
-- index: price_intervals_pkey
select
  count(*)::integer as row_count, $1::text as zone,
  array_agg(date_part('epoch', starts_at) * 1000 order by starts_at) as starts_at,
  array_agg(resolution_minutes::double precision order by starts_at) as resolution_minutes,
  array_agg(price_eur_mwh order by starts_at) as eur_mwh,
  string_agg(source, ',' order by starts_at) as sources,
  array_agg(floor(date_part('epoch', observed_at) * 1000 + 0.0005) order by starts_at) as observed_at
from (
  select starts_at, resolution_minutes, price_eur_mwh, source, observed_at
  from (select * from price_intervals where zone = $1) i
  -- as of: from zone_intervals_as_of($1::text, market_day_of($2::timestamptz), market_day_of($3::timestamptz), $5::timestamptz) i
  where starts_at >= $2::timestamptz and starts_at < $3::timestamptz and source = any ($4::text[])
  order by starts_at
) as span
