-- National holidays by date, from the rules in the table holidays (sql/migrations/0001-create-reference-data.sql). Changes of the law are
-- entered there: tariff bands, forecasts, sample data and the views for analysts all depend on it.

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
