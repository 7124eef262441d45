-- Hours of a zone, one row per market day: arrays in order of hour, the three cheapest hours (the earlier first if equal), extremes
-- and mean of the day and of the span, and how much of the day is stored. Incomplete hours are left out.
-- $1 zone   $2 first day   $3 last day (inclusive)   $4 instant, as of one
-- index: zone_prices_hourly (zone, starts_at)
-- Materialized, so that the calendar is read once instead of once per interval.
with days as materialized (
  select $2::date + n as market_day, $2::date + n in (select h.market_day from national_holidays($2::date, $3::date) h) as on_holiday
  from generate_series(0, $3::date - $2::date) as n
), hours as (
  select h.market_day, h.hour, h.starts_at, h.price_eur_mwh, h.source_first, h.source_last,
         tariff_band(h.starts_at, d.on_holiday) as band
  from (select * from zone_prices_hourly where zone = $1::text and minutes = 60) h
  -- as of: from zone_hours_as_of($1::text, $2::date, $3::date, $4::timestamptz) h
  join days d using (market_day)
  where h.starts_at >= market_day_start($2::date) and h.starts_at < market_day_start($3::date + 1)
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
