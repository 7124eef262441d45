-- Fundamentals for analysts: intervals as published, hours and days. Hours and days are as of the last refresh.

create or replace view analytics.fundamentals_by_interval as
select
  f.series, f.area, f.starts_at, f.market_day, f.resolution_minutes, f.value, f.unit, f.source, f.known_at, f.fetched_at
from fundamentals f;
comment on view analytics.fundamentals_by_interval is
  'Load, generation, forecasts of them, prices of neighbours and weather at their own resolution. Fast where series, area and a span of starts_at are given.';
comment on column analytics.fundamentals_by_interval.series is 'load-forecast, load, generation-solar, day-ahead-price and so on; -simulated are not published by anyone.';
comment on column analytics.fundamentals_by_interval.area is 'IT, a market zone, a neighbouring bidding zone or a place of weather.';
comment on column analytics.fundamentals_by_interval.starts_at is 'Instant at which the interval begins.';
comment on column analytics.fundamentals_by_interval.market_day is 'Calendar day in Europe/Rome.';
comment on column analytics.fundamentals_by_interval.resolution_minutes is 'Length of the interval: 60, 30 or 15 minutes.';
comment on column analytics.fundamentals_by_interval.value is 'In the unit beside it.';
comment on column analytics.fundamentals_by_interval.unit is 'MW, €/MWh, m/s, W/m² or °C.';
comment on column analytics.fundamentals_by_interval.source is 'Who published it (analytics.sources).';
comment on column analytics.fundamentals_by_interval.known_at is 'From when on it was known: when it was read, or of history its usual publication.';
comment on column analytics.fundamentals_by_interval.fetched_at is 'When the document that carries it was read.';

create or replace view analytics.fundamentals_by_hour as
select
  h.series, h.area, h.starts_at, h.market_day,
  case when h.minutes = 60 then h.value end as value,
  h.unit, h.minutes,
  case when h.source_first = h.source_last then h.source_first else h.source_first || ', ' || h.source_last end as source,
  h.known_at
from fundamentals_hourly h;
comment on view analytics.fundamentals_by_hour is 'Mean of each hour. Fast where series and a span of starts_at are given.';
comment on column analytics.fundamentals_by_hour.series is 'As in fundamentals_by_interval.';
comment on column analytics.fundamentals_by_hour.area is 'As in fundamentals_by_interval.';
comment on column analytics.fundamentals_by_hour.starts_at is 'Instant at which the hour begins.';
comment on column analytics.fundamentals_by_hour.market_day is 'Calendar day in Europe/Rome.';
comment on column analytics.fundamentals_by_hour.value is 'Mean of the hour; null where a part of it is missing.';
comment on column analytics.fundamentals_by_hour.unit is 'MW, €/MWh, m/s, W/m² or °C.';
comment on column analytics.fundamentals_by_hour.minutes is 'Minutes of the hour for which there is a value.';
comment on column analytics.fundamentals_by_hour.source is 'Who published it; two names where it came from two.';
comment on column analytics.fundamentals_by_hour.known_at is 'From when on all of it was known.';

create or replace view analytics.fundamentals_by_day as
select
  d.series, d.area, d.market_day,
  case when d.minutes = d.expected_minutes then d.value end as value,
  case when d.minutes = d.expected_minutes then d.hour_min end as hour_min,
  case when d.minutes = d.expected_minutes then d.hour_max end as hour_max,
  d.unit, d.minutes, d.expected_minutes,
  d.minutes = d.expected_minutes as is_complete,
  case when d.source_first = d.source_last then d.source_first else d.source_first || ', ' || d.source_last end as source,
  d.known_at
from fundamentals_daily d;
comment on view analytics.fundamentals_by_day is 'Mean of each market day, weighted by length, so that days of 23 and 25 hours count right.';
comment on column analytics.fundamentals_by_day.series is 'As in fundamentals_by_interval.';
comment on column analytics.fundamentals_by_day.area is 'As in fundamentals_by_interval.';
comment on column analytics.fundamentals_by_day.market_day is 'Calendar day in Europe/Rome.';
comment on column analytics.fundamentals_by_day.value is 'Mean of the day; null where hours are missing.';
comment on column analytics.fundamentals_by_day.hour_min is 'Lowest hour; null where hours are missing.';
comment on column analytics.fundamentals_by_day.hour_max is 'Highest hour; null where hours are missing.';
comment on column analytics.fundamentals_by_day.unit is 'MW, €/MWh, m/s, W/m² or °C.';
comment on column analytics.fundamentals_by_day.minutes is 'Minutes of the day for which there is a value.';
comment on column analytics.fundamentals_by_day.expected_minutes is '1440, or 1380 and 1500 on the change days.';
comment on column analytics.fundamentals_by_day.is_complete is 'Whether every hour is there.';
comment on column analytics.fundamentals_by_day.source is 'Who published it; two names where it came from two.';
comment on column analytics.fundamentals_by_day.known_at is 'From when on all of it was known.';
