-- The regulator's tariff bands. F1: Monday to Friday 8-19; F2: Monday to Friday 7-8 and 19-23, Saturday 7-23; F3: the rest, Sundays
-- and national holidays. The holiday is an argument, so that a month of hours asks the calendar once a day.
create or replace function tariff_band(starts_at timestamptz, on_holiday boolean) returns text
language sql immutable strict parallel safe as $$
  select case
    when on_holiday or weekday = 7 then 'F3'
    when weekday <= 5 and hour between 8 and 18 then 'F1'
    when hour between 7 and 22 then 'F2'
    else 'F3'
  end
  from (
    select extract(isodow from starts_at at time zone 'Europe/Rome') as weekday,
           extract(hour from starts_at at time zone 'Europe/Rome') as hour
  ) local
$$;
comment on function tariff_band(timestamptz, boolean) is 'F1, F2 or F3 of the interval that starts at the instant.';
