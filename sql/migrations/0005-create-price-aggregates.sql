-- Hourly, daily and yearly prices of each zone, each aggregate built on the one before. They return what was last refreshed, never a
-- mixture of refreshed and live rows: the refresh job runs after every ingest (jobs/refresh-aggregates.ts), so a day changes as a whole.

create materialized view zone_prices_hourly
with (timescaledb.continuous, timescaledb.materialized_only = true) as
select
  zone,
  time_bucket(interval '1 hour', starts_at) as starts_at,
  min(market_day) as market_day,
  ((min(ordinal) - 1) * min(resolution_minutes) / 60 + 1)::smallint as hour,
  sum(price_eur_mwh * resolution_minutes) / sum(resolution_minutes) as price_eur_mwh,
  sum(resolution_minutes)::integer as minutes,
  count(*)::integer as intervals,
  max(observed_at) as observed_at,
  min(source) as source_first,
  max(source) as source_last
from price_intervals
group by zone, time_bucket(interval '1 hour', starts_at)
with no data;

create materialized view zone_prices_daily
with (timescaledb.continuous, timescaledb.materialized_only = true) as
select
  zone,
  time_bucket(interval '1 day', starts_at, 'Europe/Rome') as starts_at,
  min(market_day) as market_day,
  sum(price_eur_mwh * minutes) / sum(minutes) as price_eur_mwh,
  min(price_eur_mwh) as hour_min_eur_mwh,
  max(price_eur_mwh) as hour_max_eur_mwh,
  sum(minutes)::integer as minutes,
  (extract(epoch from (min(market_day) + 1)::timestamp at time zone 'Europe/Rome'
                    - min(market_day)::timestamp at time zone 'Europe/Rome') / 60)::integer as expected_minutes,
  sum(intervals)::integer as intervals,
  max(observed_at) as observed_at,
  min(source_first) as source_first,
  max(source_last) as source_last
from zone_prices_hourly
group by zone, time_bucket(interval '1 day', starts_at, 'Europe/Rome')
with no data;

-- One row for the daily prices of a year: twenty years are then twenty rows; a row per day costs a millisecond for every three hundred.

create materialized view zone_prices_yearly
with (timescaledb.continuous, timescaledb.materialized_only = true) as
select
  zone,
  time_bucket(interval '1 year', starts_at, 'Europe/Rome') as starts_at,
  array_agg(market_day order by market_day) filter (where minutes = expected_minutes) as market_days,
  array_agg(price_eur_mwh order by market_day) filter (where minutes = expected_minutes) as prices_eur_mwh,
  array_agg(distinct source_first) filter (where minutes = expected_minutes) as sources_first,
  array_agg(distinct source_last) filter (where minutes = expected_minutes) as sources_last
from zone_prices_daily
group by zone, time_bucket(interval '1 year', starts_at, 'Europe/Rome')
with no data;

comment on view zone_prices_hourly is 'Price of the hour per zone: the mean of its intervals weighted by their length.';
comment on view zone_prices_daily is 'Price of the market day per zone: mean weighted by length, lowest and highest hour, and how much of the day is stored.';
comment on column zone_prices_hourly.hour is 'Market hour, from 1, by elapsed time: 1-23 or 1-25 on the change days.';
comment on column zone_prices_hourly.minutes is 'Minutes of the hour for which a price is stored; 60 if it is complete.';
comment on column zone_prices_daily.minutes is 'Minutes of the day for which a price is stored; a day is complete if this equals expected_minutes.';
comment on column zone_prices_daily.expected_minutes is '1440, or 1380 and 1500 on the change days.';
comment on column zone_prices_daily.intervals is 'How many intervals are stored, at the source''s own resolution.';
comment on view zone_prices_yearly is 'The complete market days of a calendar year per zone, in order, with their prices: two arrays of the same length.';

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

-- A chunk of hours for each chunk of intervals, in place of ten years. A year that is aggregated at once is then stored by zone, and the
-- planner knows it: over ten years it takes the order of zones for none, and reads a month of every zone to find that of one.
select set_chunk_time_interval('zone_prices_hourly', interval '1 year');
