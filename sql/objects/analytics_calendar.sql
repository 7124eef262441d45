-- Calendar for analysts: holidays by date, market days, and the hours of each market day with their tariff band.
-- Views for analysts call only functions that read no tables, since a function runs with the rights of the role that reads the view.

-- Two rules may fall on the same date, such as Easter Monday and Liberation Day in 2011; the date then has one row with both names.
create or replace view analytics.holidays as
select day as market_day, string_agg(name, ', ' order by name) as name
from (
  select h.name, make_date(y, h.month, h.day_of_month) as day, h.valid_from, h.valid_to
  from holidays h, generate_series(2004, 2050) y
  where h.month is not null
  union all
  select h.name, easter_sunday(y) + h.easter_offset_days, h.valid_from, h.valid_to
  from holidays h, generate_series(2004, 2050) y
  where h.easter_offset_days is not null
) dates
where day >= valid_from and (valid_to is null or day <= valid_to)
group by day;
comment on view analytics.holidays is 'National holidays by date, 2004 to 2050. Their hours are in band F3.';
comment on column analytics.holidays.market_day is 'The date.';
comment on column analytics.holidays.name is 'Name of the holiday; of both, where two fall on one date.';

create or replace view analytics.calendar as
select
  d.day as market_day,
  extract(year from d.day)::integer as year,
  extract(quarter from d.day)::integer as quarter,
  extract(month from d.day)::integer as month,
  extract(week from d.day)::integer as iso_week,
  extract(isodow from d.day)::integer as iso_weekday,
  h.name is not null as is_holiday,
  h.name as holiday,
  extract(isodow from d.day) <= 5 and h.name is null as is_working_day,
  market_day_start(d.day) as starts_at,
  market_day_start(d.day + 1) as ends_at,
  market_day_minutes(d.day) / 60 as hours
from (select s::date as day from generate_series(timestamp '2004-01-01', timestamp '2050-12-31', interval '1 day') s) d
left join analytics.holidays h on h.market_day = d.day;
comment on view analytics.calendar is 'One row per market day, a calendar day in Europe/Rome, from 2004 to 2050.';
comment on column analytics.calendar.market_day is 'The day.';
comment on column analytics.calendar.year is 'Calendar year.';
comment on column analytics.calendar.quarter is 'Quarter of the year, 1 to 4.';
comment on column analytics.calendar.month is 'Month of the year, 1 to 12.';
comment on column analytics.calendar.iso_week is 'Week as ISO 8601 counts it, 1 to 53; the first days of January may be in week 52 or 53.';
comment on column analytics.calendar.iso_weekday is '1 is Monday, 7 is Sunday.';
comment on column analytics.calendar.is_holiday is 'Whether it is a national holiday.';
comment on column analytics.calendar.holiday is 'Name of the holiday; null on other days.';
comment on column analytics.calendar.is_working_day is 'Monday to Friday and no national holiday.';
comment on column analytics.calendar.starts_at is 'Instant of the midnight in Rome at which the day begins.';
comment on column analytics.calendar.ends_at is 'Instant at which the next day begins.';
comment on column analytics.calendar.hours is '24, or 23 and 25 on the change days.';

create or replace view analytics.calendar_hours as
select
  c.market_day,
  h::integer as hour,
  c.starts_at + make_interval(hours => h - 1) as starts_at,
  tariff_band(c.starts_at + make_interval(hours => h - 1), c.is_holiday) as band,
  c.is_holiday,
  c.starts_at + make_interval(hours => h) as ends_at
from analytics.calendar c cross join lateral generate_series(1, c.hours) h;
comment on view analytics.calendar_hours is 'Every hour of the market days from 2004 to 2050 with its tariff band. Ask for a span of market_day.';
comment on column analytics.calendar_hours.market_day is 'Calendar day in Europe/Rome.';
comment on column analytics.calendar_hours.hour is 'Market hour from 1, by elapsed time: to 23 or 25 on the change days.';
comment on column analytics.calendar_hours.starts_at is 'Instant at which the hour begins.';
comment on column analytics.calendar_hours.band is 'F1: Monday to Friday 8-19. F2: Monday to Friday 7-8 and 19-23, Saturday 7-23. F3: the rest, Sundays and holidays.';
comment on column analytics.calendar_hours.is_holiday is 'Whether the day is a national holiday.';
comment on column analytics.calendar_hours.ends_at is 'Instant at which the next hour begins.';
