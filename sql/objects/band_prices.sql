-- Prices of tariff bands, peak and off-peak by day, month and year, over complete market days. Peak is that of the traded products:
-- Monday to Friday 8-20, holidays included. In tariff bands, holidays count as F3.
create or replace view zone_day_part_bands as
select
  p.*,
  tariff_band((p.market_day + make_interval(hours => p.from_hour)) at time zone 'Europe/Rome', h.market_day is not null) as band,
  extract(isodow from p.market_day) <= 5 and p.from_hour in (8, 19) as is_peak
from zone_prices_day_parts p
join zone_prices_daily d on d.zone = p.zone and d.starts_at = p.starts_at and d.minutes = d.expected_minutes
left join analytics.holidays h on h.market_day = p.market_day;
comment on view zone_day_part_bands is 'The parts of complete market days with their tariff band, and whether they are peak.';

-- Sums by band first, so that the band of each part is computed only once.
create or replace view zone_bands_monthly as
select
  zone, month,
  sum(eur_mwh_minutes) / sum(minutes) as f0_eur_mwh,
  sum(eur_mwh_minutes) filter (where band = 'F1') / sum(minutes) filter (where band = 'F1') as f1_eur_mwh,
  sum(eur_mwh_minutes) filter (where band = 'F2') / sum(minutes) filter (where band = 'F2') as f2_eur_mwh,
  sum(eur_mwh_minutes) filter (where band = 'F3') / sum(minutes) filter (where band = 'F3') as f3_eur_mwh,
  sum(eur_mwh_minutes) filter (where band <> 'F1') / sum(minutes) filter (where band <> 'F1') as f23_eur_mwh,
  sum(eur_mwh_minutes) filter (where is_peak) / sum(minutes) filter (where is_peak) as peak_eur_mwh,
  sum(eur_mwh_minutes) filter (where not is_peak) / sum(minutes) filter (where not is_peak) as off_peak_eur_mwh,
  (sum(minutes) / 60)::integer as f0_hours,
  (coalesce(sum(minutes) filter (where band = 'F1'), 0) / 60)::integer as f1_hours,
  (coalesce(sum(minutes) filter (where band = 'F2'), 0) / 60)::integer as f2_hours,
  (coalesce(sum(minutes) filter (where band = 'F3'), 0) / 60)::integer as f3_hours,
  (coalesce(sum(minutes) filter (where band <> 'F1'), 0) / 60)::integer as f23_hours,
  (coalesce(sum(minutes) filter (where is_peak), 0) / 60)::integer as peak_hours,
  (coalesce(sum(minutes) filter (where not is_peak), 0) / 60)::integer as off_peak_hours,
  sum(nights)::integer as days,
  extract(day from month + interval '1 month' - interval '1 day')::integer as days_of_month,
  max(last_day) as last_day,
  min(source_first) as source_first,
  max(source_last) as source_last,
  max(observed_at) as observed_at
from (
  select
    zone, date_trunc('month', market_day::timestamp)::date as month, band, is_peak,
    sum(price_eur_mwh * minutes) as eur_mwh_minutes, sum(minutes) as minutes,
    count(*) filter (where from_hour = 0) as nights, max(market_day) as last_day,
    min(source_first) as source_first, max(source_last) as source_last, max(observed_at) as observed_at
  from zone_day_part_bands
  group by 1, 2, 3, 4
) sums
group by zone, month;
comment on view zone_bands_monthly is 'Mean prices of tariff bands, peak and off-peak by calendar month, over its complete days.';

create or replace view analytics.bands_by_month as
select
  zone, month, f0_eur_mwh, f1_eur_mwh, f2_eur_mwh, f3_eur_mwh, f23_eur_mwh, peak_eur_mwh, off_peak_eur_mwh,
  f0_hours, f1_hours, f2_hours, f3_hours, f23_hours, peak_hours, off_peak_hours,
  days, days_of_month, days = days_of_month as is_complete, last_day,
  case when source_first = source_last then source_first else source_first || ', ' || source_last end as source,
  source_first in (select id from sources where synthetic) or source_last in (select id from sources where synthetic) as is_synthetic,
  observed_at
from zone_bands_monthly;
comment on view analytics.bands_by_month is
  'Monthly means of F0, F1, F2, F3, F23, peak and off-peak side by side, over complete days. The current month covers its days so far.';
comment on column analytics.bands_by_month.zone is 'Zone of the day-ahead market; nazionale is the PUN.';
comment on column analytics.bands_by_month.month is 'First day of the month.';
comment on column analytics.bands_by_month.f0_eur_mwh is 'Mean of all hours, €/MWh.';
comment on column analytics.bands_by_month.f1_eur_mwh is 'Mean of F1: Monday to Friday 8-19, no holidays.';
comment on column analytics.bands_by_month.f2_eur_mwh is 'Mean of F2: Monday to Friday 7-8 and 19-23, Saturday 7-23, no holidays.';
comment on column analytics.bands_by_month.f3_eur_mwh is 'Mean of F3: the rest, Sundays and holidays.';
comment on column analytics.bands_by_month.f23_eur_mwh is 'Mean of the hours of F2 and F3 together.';
comment on column analytics.bands_by_month.peak_eur_mwh is 'Mean of peak: Monday to Friday 8-20, holidays included, as in traded products.';
comment on column analytics.bands_by_month.off_peak_eur_mwh is 'Mean of all other hours.';
comment on column analytics.bands_by_month.f0_hours is 'Hours of the complete days.';
comment on column analytics.bands_by_month.f1_hours is 'Hours of F1.';
comment on column analytics.bands_by_month.f2_hours is 'Hours of F2.';
comment on column analytics.bands_by_month.f3_hours is 'Hours of F3.';
comment on column analytics.bands_by_month.f23_hours is 'Hours of F2 and F3.';
comment on column analytics.bands_by_month.peak_hours is 'Hours of peak.';
comment on column analytics.bands_by_month.off_peak_hours is 'Hours of off-peak.';
comment on column analytics.bands_by_month.days is 'Complete days.';
comment on column analytics.bands_by_month.days_of_month is 'Days of the month.';
comment on column analytics.bands_by_month.is_complete is 'Whether every day of the month is complete.';
comment on column analytics.bands_by_month.last_day is 'Last complete day.';
comment on column analytics.bands_by_month.source is 'Who published it (analytics.sources); two names if it came from two.';
comment on column analytics.bands_by_month.is_synthetic is 'True where any of it is sample data.';
comment on column analytics.bands_by_month.observed_at is 'When its last value was published.';

create or replace view analytics.bands_by_day as
select
  zone, market_day,
  sum(price_eur_mwh * minutes) / sum(minutes) as f0_eur_mwh,
  sum(price_eur_mwh * minutes) filter (where band = 'F1') / sum(minutes) filter (where band = 'F1') as f1_eur_mwh,
  sum(price_eur_mwh * minutes) filter (where band = 'F2') / sum(minutes) filter (where band = 'F2') as f2_eur_mwh,
  sum(price_eur_mwh * minutes) filter (where band = 'F3') / sum(minutes) filter (where band = 'F3') as f3_eur_mwh,
  sum(price_eur_mwh * minutes) filter (where is_peak) / sum(minutes) filter (where is_peak) as peak_eur_mwh,
  sum(price_eur_mwh * minutes) filter (where not is_peak) / sum(minutes) filter (where not is_peak) as off_peak_eur_mwh,
  (sum(minutes) / 60)::integer as hours,
  (coalesce(sum(minutes) filter (where is_peak), 0) / 60)::integer as peak_hours
from zone_day_part_bands
-- Groups by the instant, too, so that a condition on it excludes chunks.
group by zone, starts_at, market_day;
comment on view analytics.bands_by_day is
  'Baseload (F0), peak, off-peak and the tariff bands of each complete market day. Null where none of its hours is in the band.';
comment on column analytics.bands_by_day.zone is 'Zone of the day-ahead market; nazionale is the PUN.';
comment on column analytics.bands_by_day.market_day is 'Calendar day in Europe/Rome.';
comment on column analytics.bands_by_day.f0_eur_mwh is 'Baseload: mean of all hours, €/MWh.';
comment on column analytics.bands_by_day.f1_eur_mwh is 'Mean of F1: Monday to Friday 8-19, no holidays.';
comment on column analytics.bands_by_day.f2_eur_mwh is 'Mean of F2: Monday to Friday 7-8 and 19-23, Saturday 7-23, no holidays.';
comment on column analytics.bands_by_day.f3_eur_mwh is 'Mean of F3: the rest, Sundays and holidays.';
comment on column analytics.bands_by_day.peak_eur_mwh is 'Mean of peak: Monday to Friday 8-20, holidays included, as in traded products.';
comment on column analytics.bands_by_day.off_peak_eur_mwh is 'Mean of all other hours.';
comment on column analytics.bands_by_day.hours is '24, or 23 and 25 on the change days.';
comment on column analytics.bands_by_day.peak_hours is '12 from Monday to Friday, else 0.';

create or replace view analytics.bands_by_year as
select
  zone, extract(year from month)::integer as year,
  sum(f0_eur_mwh * f0_hours) / sum(f0_hours) as f0_eur_mwh,
  sum(f1_eur_mwh * f1_hours) / nullif(sum(f1_hours), 0) as f1_eur_mwh,
  sum(f2_eur_mwh * f2_hours) / nullif(sum(f2_hours), 0) as f2_eur_mwh,
  sum(f3_eur_mwh * f3_hours) / nullif(sum(f3_hours), 0) as f3_eur_mwh,
  sum(f23_eur_mwh * f23_hours) / nullif(sum(f23_hours), 0) as f23_eur_mwh,
  sum(peak_eur_mwh * peak_hours) / nullif(sum(peak_hours), 0) as peak_eur_mwh,
  sum(off_peak_eur_mwh * off_peak_hours) / nullif(sum(off_peak_hours), 0) as off_peak_eur_mwh,
  sum(f0_hours)::integer as f0_hours,
  sum(peak_hours)::integer as peak_hours,
  sum(days)::integer as days,
  sum(days_of_month) = sum(days) and count(*) = 12 as is_complete,
  bool_or(is_synthetic) as is_synthetic
from analytics.bands_by_month
group by zone, extract(year from month);
comment on view analytics.bands_by_year is
  'Yearly means of F0, F1, F2, F3, F23, peak and off-peak side by side, over complete days. The current year covers its days so far.';
comment on column analytics.bands_by_year.zone is 'Zone of the day-ahead market; nazionale is the PUN.';
comment on column analytics.bands_by_year.year is 'Calendar year.';
comment on column analytics.bands_by_year.f0_eur_mwh is 'Baseload: mean of all hours, €/MWh.';
comment on column analytics.bands_by_year.f1_eur_mwh is 'Mean of F1: Monday to Friday 8-19, no holidays.';
comment on column analytics.bands_by_year.f2_eur_mwh is 'Mean of F2: Monday to Friday 7-8 and 19-23, Saturday 7-23, no holidays.';
comment on column analytics.bands_by_year.f3_eur_mwh is 'Mean of F3: the rest, Sundays and holidays.';
comment on column analytics.bands_by_year.f23_eur_mwh is 'Mean of the hours of F2 and F3 together.';
comment on column analytics.bands_by_year.peak_eur_mwh is 'Mean of peak: Monday to Friday 8-20, holidays included, as in traded products.';
comment on column analytics.bands_by_year.off_peak_eur_mwh is 'Mean of all other hours.';
comment on column analytics.bands_by_year.f0_hours is 'Hours of the complete days.';
comment on column analytics.bands_by_year.peak_hours is 'Hours of peak.';
comment on column analytics.bands_by_year.days is 'Complete days so far.';
comment on column analytics.bands_by_year.is_complete is 'Whether every day of the year is complete.';
comment on column analytics.bands_by_year.is_synthetic is 'True where any of it is sample data.';
