-- Market time in SQL. A market day is a calendar day in Europe/Rome; the zone is always named, never the session's.

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
comment on function market_day_minutes(date) is '1440, or 1380 and 1500 on the days on which the clock changes.';

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

create or replace function is_national_holiday(day date) returns boolean
language sql stable strict parallel safe as $$
  select exists (
    select from holidays h
    where day >= h.valid_from and (h.valid_to is null or day <= h.valid_to)
      and (
        (h.month = extract(month from day) and h.day_of_month = extract(day from day))
        or day = easter_sunday(extract(year from day)::integer) + h.easter_offset_days
      )
  )
$$;
comment on function is_national_holiday(date) is 'Whether the day is a national holiday under the rules in force on it (table holidays).';
