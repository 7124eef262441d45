-- Prices of the parts of a day between which the tariff band or peak may change. Which band a part belongs to depends on the calendar of
-- holidays, which an aggregate cannot join: sql/objects/band_prices.sql decides that.

create materialized view zone_prices_day_parts
with (timescaledb.continuous, timescaledb.materialized_only = true) as
select
  zone,
  time_bucket(interval '1 day', starts_at, 'Europe/Rome') as starts_at,
  (case
    when extract(hour from starts_at at time zone 'Europe/Rome') = 7 then 7
    when extract(hour from starts_at at time zone 'Europe/Rome') between 8 and 18 then 8
    when extract(hour from starts_at at time zone 'Europe/Rome') = 19 then 19
    when extract(hour from starts_at at time zone 'Europe/Rome') between 20 and 22 then 20
    else 0
  end)::smallint as from_hour,
  min(market_day) as market_day,
  sum(price_eur_mwh * minutes) / sum(minutes) as price_eur_mwh,
  sum(minutes)::integer as minutes,
  max(observed_at) as observed_at,
  min(source_first) as source_first,
  max(source_last) as source_last
from zone_prices_hourly
group by 1, 2, 3
with no data;

comment on view zone_prices_day_parts is 'Price of each part of the market day per zone: the mean of its hours weighted by their length.';
comment on column zone_prices_day_parts.from_hour is 'Clock hour at which the part begins: 7-8, 8-19, 19-20, 20-23; 0 is the night, 23-7.';
comment on column zone_prices_day_parts.minutes is 'Minutes of the part for which a price is stored.';
