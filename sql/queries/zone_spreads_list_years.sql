-- Distribution of the hourly spread of two zones in a span and in the same days of earlier years, latest first; €/MWh. Uses only hours
-- that are complete in both zones; no row for a year without any.
-- $1 zone   $2 zone that is subtracted   $3 first day   $4 last day (inclusive)   $5 earlier years
-- index: zone_prices_hourly (zone, starts_at)
select
  to_char(y.first_day, 'YYYY-MM-DD') as "from", s.hours, s.quantiles[1] as p10, s.quantiles[2] as median, s.quantiles[3] as p90
from (
  select ($3::date - make_interval(years => n))::date as first_day, ($4::date + 1 - make_interval(years => n))::date as day_after
  from generate_series(0, $5::integer) as n
) y
cross join lateral (
  select
    count(*)::integer as hours,
    percentile_cont(array[0.1, 0.5, 0.9]) within group (order by a.price_eur_mwh - b.price_eur_mwh) as quantiles
  from zone_prices_hourly a
  join zone_prices_hourly b on b.starts_at = a.starts_at
  where a.zone = $1::text and b.zone = $2::text and a.minutes = 60 and b.minutes = 60
    and a.starts_at >= market_day_start(y.first_day) and a.starts_at < market_day_start(y.day_after)
    and b.starts_at >= market_day_start(y.first_day) and b.starts_at < market_day_start(y.day_after)
) s
where s.hours > 0
order by y.first_day desc
