-- Market time in SQL. A market day is a calendar day in Europe/Rome; the time zone is always named, never the session's.

create or replace function market_day_start(day date) returns timestamptz
language sql immutable strict parallel safe
return day::timestamp at time zone 'Europe/Rome';
comment on function market_day_start(date) is 'UTC instant of the local midnight at which the market day begins.';

create or replace function market_day_of(instant timestamptz) returns date
language sql immutable strict parallel safe
return (instant at time zone 'Europe/Rome')::date;
comment on function market_day_of(timestamptz) is 'The market day an instant belongs to.';

create or replace function market_day_minutes(day date) returns integer
language sql immutable strict parallel safe
return (extract(epoch from market_day_start(day + 1) - market_day_start(day)) / 60)::integer;
comment on function market_day_minutes(date) is '1440, or 1380 and 1500 on the change days.';

-- The anonymous Gregorian computus (Meeus, Astronomical Algorithms, chapter 8).
create or replace function easter_sunday(year integer) returns date
language plpgsql immutable strict parallel safe as $$
declare
  a integer := year % 19;
  b integer := year / 100;
  c integer := year % 100;
  h integer := (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30;
  l integer := (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7;
  m integer := (a + 11 * h + 22 * l) / 451;
  month_and_day integer := h + l - 7 * m + 114;
begin
  return make_date(year, month_and_day / 31, month_and_day % 31 + 1);
end $$;
comment on function easter_sunday(integer) is 'Date of Easter Sunday in the Gregorian calendar.';

create or replace function national_holidays(p_from date, p_to date) returns table (market_day date)
language sql stable strict parallel safe as $$
  select distinct d.market_day
  from generate_series(date_part('year', p_from)::integer, date_part('year', p_to)::integer) as year
  cross join holidays h
  cross join lateral (
    select coalesce(make_date(year, h.month, h.day_of_month), easter_sunday(year) + h.easter_offset_days) as market_day
  ) d
  where d.market_day between greatest(p_from, h.valid_from) and least(p_to, h.valid_to)
$$;
comment on function national_holidays(date, date) is
  'National holidays from the first to the last day, inclusive, under the rules in force on each (table holidays); in no particular order.';

