-- Quarter-hours of a zone, one row per market day that has them, in the form of zone_hours_list_days: ordinals are quarters, but the
-- cheapest hours are still hours. $1 zone   $2 first day   $3 last day (inclusive)   $4 instant, as of one
-- index: price_intervals (zone, starts_at)
-- Materialized, so that the calendar is read once instead of once per interval.
with days as materialized (
  select $2::date + n as market_day, $2::date + n in (select h.market_day from national_holidays($2::date, $3::date) h) as on_holiday
  from generate_series(0, $3::date - $2::date) as n
), quarters as (
  select p.market_day, p.ordinal, (p.ordinal - 1) / 4 + 1 as hour, p.starts_at, p.price_eur_mwh, p.source,
         tariff_band(p.starts_at, d.on_holiday) as band
  from (select * from price_intervals where zone = $1::text) p
  -- as of: from zone_intervals_as_of($1::text, $2::date, $3::date, $4::timestamptz) p
  join days d using (market_day)
  where p.starts_at >= market_day_start($2::date) and p.starts_at < market_day_start($3::date + 1)
    and p.resolution_minutes = 15
), whole_hours as (
  select market_day, hour, avg(price_eur_mwh) as price_eur_mwh
  from quarters
  group by market_day, hour
  having count(*) = 4
), cheapest as (
  select market_day, (array_agg(hour order by published_decimal(price_eur_mwh), hour))[1:3] as cheapest_hours
  from whole_hours
  group by market_day
)
select
  market_day,
  array_agg(ordinal::integer order by ordinal) as ordinals,
  array_agg(hour order by ordinal) as hours,
  array_agg(date_part('epoch', starts_at)::bigint order by ordinal) as starts_at_epoch,
  array_agg(price_eur_mwh order by ordinal) as prices,
  array_agg(band order by ordinal) as bands,
  coalesce((select c.cheapest_hours from cheapest c where c.market_day = q.market_day), '{}') as cheapest_hours,
  min(price_eur_mwh) as minimum,
  max(price_eur_mwh) as maximum,
  avg(price_eur_mwh) as average,
  min(min(price_eur_mwh)) over () as span_minimum,
  max(max(price_eur_mwh)) over () as span_maximum,
  sum(sum(price_eur_mwh)) over () / sum(count(*)) over () as span_average,
  market_day_minutes(market_day) / 15 as expected,
  array_agg(distinct source) as sources
from quarters q
group by market_day
order by market_day
