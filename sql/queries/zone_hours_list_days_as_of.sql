-- zone_hours_list_days as it would have answered at an instant.
-- $1 zone   $2 first day   $3 last day (inclusive)   $4 instant   index: (zone, starts_at) of price_intervals and its revisions
-- Materialized, so that the calendar is read once and not for every interval.
with days as materialized (
  select $2::date + n as market_day, $2::date + n in (select h.market_day from national_holidays($2::date, $3::date) h) as on_holiday
  from generate_series(0, $3::date - $2::date) as n
), whole_hours as (
  select market_day, ((ordinal - 1) * resolution_minutes / 60 + 1) as hour, min(starts_at) as starts_at,
         sum(price_eur_mwh * resolution_minutes) / 60 as price_eur_mwh, min(source) as source_first, max(source) as source_last
  from zone_intervals_as_of($1::text, $2::date, $3::date, $4::timestamptz)
  group by market_day, ((ordinal - 1) * resolution_minutes / 60 + 1)
  having sum(resolution_minutes) = 60
), hours as (
  select h.*, tariff_band(h.starts_at, d.on_holiday) as band
  from whole_hours h
  join days d using (market_day)
)
select
  market_day,
  array_agg(hour::integer order by hour) as ordinals,
  array_agg(hour::integer order by hour) as hours,
  array_agg(date_part('epoch', starts_at)::bigint order by hour) as starts_at_epoch,
  array_agg(price_eur_mwh order by hour) as prices,
  array_agg(band order by hour) as bands,
  (array_agg(hour::integer order by published_decimal(price_eur_mwh), hour))[1:3] as cheapest_hours,
  min(price_eur_mwh) as minimum,
  max(price_eur_mwh) as maximum,
  avg(price_eur_mwh) as average,
  min(min(price_eur_mwh)) over () as span_minimum,
  max(max(price_eur_mwh)) over () as span_maximum,
  sum(sum(price_eur_mwh)) over () / sum(count(*)) over () as span_average,
  market_day_minutes(market_day) / 60 as expected,
  array_agg(distinct source_first) || array_agg(distinct source_last) as sources
from hours
group by market_day
order by market_day
