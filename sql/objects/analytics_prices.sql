-- Day-ahead prices for analysts: intervals as published, hours, days, months, and tariff bands by day and month. Hours and everything
-- derived from them are as of the last refresh, minutes after an ingest; intervals are always current.

create or replace view analytics.prices_by_interval as
select
  p.zone, p.starts_at, p.market_day, p.ordinal, p.resolution_minutes,
  tariff_band(p.starts_at, h.market_day is not null) as band,
  p.price_eur_mwh, p.source, s.synthetic as is_synthetic, p.observed_at, p.fetched_at,
  p.starts_at + make_interval(mins => p.resolution_minutes) as ends_at
from price_intervals p
join sources s on s.id = p.source
left join analytics.holidays h on h.market_day = p.market_day;
comment on view analytics.prices_by_interval is
  'Prices at the source''s own resolution: hours, and quarter-hours since 1 October 2025. Fast where zone and a span of starts_at are given.';
comment on column analytics.prices_by_interval.zone is 'Zone of the day-ahead market; nazionale is the PUN.';
comment on column analytics.prices_by_interval.starts_at is 'Instant at which the interval begins.';
comment on column analytics.prices_by_interval.market_day is 'Calendar day in Europe/Rome.';
comment on column analytics.prices_by_interval.ordinal is 'Number of the interval in its day, from 1, by elapsed time.';
comment on column analytics.prices_by_interval.resolution_minutes is 'Length of the interval: 60, 30 or 15 minutes.';
comment on column analytics.prices_by_interval.band is 'Tariff band F1, F2 or F3.';
comment on column analytics.prices_by_interval.price_eur_mwh is 'Price in €/MWh; may be negative.';
comment on column analytics.prices_by_interval.source is 'Who published it (analytics.sources).';
comment on column analytics.prices_by_interval.is_synthetic is 'True for sample data.';
comment on column analytics.prices_by_interval.observed_at is 'When the source published it where it says so, else when it was first seen.';
comment on column analytics.prices_by_interval.fetched_at is 'When the document that carries it was read.';
comment on column analytics.prices_by_interval.ends_at is 'Instant at which the next interval begins.';

create or replace view analytics.prices_by_hour as
select
  p.zone, p.starts_at, p.market_day, p.hour,
  tariff_band(p.starts_at, h.market_day is not null) as band,
  case when p.minutes = 60 then p.price_eur_mwh end as price_eur_mwh,
  p.minutes,
  case when p.source_first = p.source_last then p.source_first else p.source_first || ', ' || p.source_last end as source,
  p.source_first in (select id from sources where synthetic) or p.source_last in (select id from sources where synthetic) as is_synthetic,
  p.observed_at,
  p.starts_at + interval '1 hour' as ends_at
from zone_prices_hourly p
left join analytics.holidays h on h.market_day = p.market_day;
comment on view analytics.prices_by_hour is
  'Price of each hour: since 1 October 2025 the mean of its four quarters. Fast where zone and a span of starts_at are given.';
comment on column analytics.prices_by_hour.zone is 'Zone of the day-ahead market; nazionale is the PUN.';
comment on column analytics.prices_by_hour.starts_at is 'Instant at which the hour begins.';
comment on column analytics.prices_by_hour.market_day is 'Calendar day in Europe/Rome.';
comment on column analytics.prices_by_hour.hour is 'Market hour from 1, by elapsed time: to 23 or 25 on the change days.';
comment on column analytics.prices_by_hour.band is 'Tariff band F1, F2 or F3.';
comment on column analytics.prices_by_hour.price_eur_mwh is 'Price in €/MWh; null where a part of the hour is missing.';
comment on column analytics.prices_by_hour.minutes is 'Minutes of the hour for which there is a price; 60 if it is complete.';
comment on column analytics.prices_by_hour.source is 'Who published it (analytics.sources); two names if its quarters came from two.';
comment on column analytics.prices_by_hour.is_synthetic is 'True where any of it is sample data.';
comment on column analytics.prices_by_hour.observed_at is 'When its last value was published.';
comment on column analytics.prices_by_hour.ends_at is 'Instant at which the next hour begins.';

create or replace view analytics.prices_by_day as
select
  p.zone, p.market_day,
  case when p.minutes = p.expected_minutes then p.price_eur_mwh end as price_eur_mwh,
  case when p.minutes = p.expected_minutes then p.hour_min_eur_mwh end as hour_min_eur_mwh,
  case when p.minutes = p.expected_minutes then p.hour_max_eur_mwh end as hour_max_eur_mwh,
  p.minutes, p.expected_minutes,
  p.minutes = p.expected_minutes as is_complete,
  case when p.source_first = p.source_last then p.source_first else p.source_first || ', ' || p.source_last end as source,
  p.source_first in (select id from sources where synthetic) or p.source_last in (select id from sources where synthetic) as is_synthetic,
  p.observed_at
from zone_prices_daily p;
comment on view analytics.prices_by_day is
  'Price of each market day: mean over its intervals weighted by their length, so that days of 23 and 25 hours are weighted correctly.';
comment on column analytics.prices_by_day.zone is 'Zone of the day-ahead market; nazionale is the PUN.';
comment on column analytics.prices_by_day.market_day is 'Calendar day in Europe/Rome.';
comment on column analytics.prices_by_day.price_eur_mwh is 'Mean of the day in €/MWh; null where hours are missing.';
comment on column analytics.prices_by_day.hour_min_eur_mwh is 'Price of the cheapest hour; null where hours are missing.';
comment on column analytics.prices_by_day.hour_max_eur_mwh is 'Price of the dearest hour; null where hours are missing.';
comment on column analytics.prices_by_day.minutes is 'Minutes of the day for which there is a price.';
comment on column analytics.prices_by_day.expected_minutes is '1440, or 1380 and 1500 on the change days.';
comment on column analytics.prices_by_day.is_complete is 'Whether every hour is complete.';
comment on column analytics.prices_by_day.source is 'Who published it (analytics.sources); two names if it came from two.';
comment on column analytics.prices_by_day.is_synthetic is 'True where any of it is sample data.';
comment on column analytics.prices_by_day.observed_at is 'When its last value was published.';

create or replace view analytics.prices_by_month as
select
  d.zone,
  date_trunc('month', d.market_day::timestamp)::date as month,
  sum(d.price_eur_mwh * d.minutes) / sum(d.minutes) as price_eur_mwh,
  min(d.hour_min_eur_mwh) as hour_min_eur_mwh,
  max(d.hour_max_eur_mwh) as hour_max_eur_mwh,
  count(*)::integer as days,
  extract(day from date_trunc('month', d.market_day::timestamp) + interval '1 month' - interval '1 day')::integer as days_of_month,
  count(*) = extract(day from date_trunc('month', d.market_day::timestamp) + interval '1 month' - interval '1 day') as is_complete,
  bool_or(d.is_synthetic) as is_synthetic,
  max(d.observed_at) as observed_at
from analytics.prices_by_day d
where d.is_complete
group by d.zone, date_trunc('month', d.market_day::timestamp);
comment on view analytics.prices_by_month is
  'Price of each calendar month: mean over all hours of its complete days, not a mean of daily means. The current month covers its days so far.';
comment on column analytics.prices_by_month.zone is 'Zone of the day-ahead market; nazionale is the PUN.';
comment on column analytics.prices_by_month.month is 'First day of the month.';
comment on column analytics.prices_by_month.price_eur_mwh is 'Mean over the hours of its complete days, €/MWh.';
comment on column analytics.prices_by_month.hour_min_eur_mwh is 'Price of the cheapest hour.';
comment on column analytics.prices_by_month.hour_max_eur_mwh is 'Price of the dearest hour.';
comment on column analytics.prices_by_month.days is 'Complete days so far.';
comment on column analytics.prices_by_month.days_of_month is 'Days of the month.';
comment on column analytics.prices_by_month.is_complete is 'Whether every day of the month is complete.';
comment on column analytics.prices_by_month.is_synthetic is 'True where any of it is sample data.';
comment on column analytics.prices_by_month.observed_at is 'When its last value was published.';

create or replace view analytics.prices_by_band_and_day as
select
  p.zone, p.market_day, p.band,
  sum(p.price_eur_mwh * p.minutes) / sum(p.minutes) as price_eur_mwh,
  (sum(p.minutes) / 60)::integer as hours,
  bool_or(p.is_synthetic) as is_synthetic
from analytics.prices_by_hour p
join zone_prices_daily d
  on d.zone = p.zone and d.starts_at = market_day_start(p.market_day) and d.minutes = d.expected_minutes
group by p.zone, p.market_day, p.band;
comment on view analytics.prices_by_band_and_day is
  'Price of each tariff band on each complete market day. A day has only the bands that occur in it: a Sunday only F3.';
comment on column analytics.prices_by_band_and_day.zone is 'Zone of the day-ahead market; nazionale is the PUN.';
comment on column analytics.prices_by_band_and_day.market_day is 'Calendar day in Europe/Rome.';
comment on column analytics.prices_by_band_and_day.band is 'Tariff band F1, F2 or F3.';
comment on column analytics.prices_by_band_and_day.price_eur_mwh is 'Mean over the hours of the band, €/MWh.';
comment on column analytics.prices_by_band_and_day.hours is 'Hours of the band on the day.';
comment on column analytics.prices_by_band_and_day.is_synthetic is 'True where any of it is sample data.';

create or replace view analytics.prices_by_band_and_month as
select
  p.zone,
  date_trunc('month', p.market_day::timestamp)::date as month,
  p.band,
  sum(p.price_eur_mwh * p.hours) / sum(p.hours) as price_eur_mwh,
  sum(p.hours)::integer as hours,
  count(*)::integer as days,
  bool_or(p.is_synthetic) as is_synthetic
from analytics.prices_by_band_and_day p
group by p.zone, date_trunc('month', p.market_day::timestamp), p.band;
comment on view analytics.prices_by_band_and_month is
  'Price of each tariff band in each calendar month, over its complete days. The current month covers its days so far.';
comment on column analytics.prices_by_band_and_month.zone is 'Zone of the day-ahead market; nazionale is the PUN.';
comment on column analytics.prices_by_band_and_month.month is 'First day of the month.';
comment on column analytics.prices_by_band_and_month.band is 'Tariff band F1, F2 or F3.';
comment on column analytics.prices_by_band_and_month.price_eur_mwh is 'Mean over the hours of the band, €/MWh.';
comment on column analytics.prices_by_band_and_month.hours is 'Hours of the band in the month.';
comment on column analytics.prices_by_band_and_month.days is 'Days on which the band occurs.';
comment on column analytics.prices_by_band_and_month.is_synthetic is 'True where any of it is sample data.';
