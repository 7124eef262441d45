-- The regulator's tariff bands. F1: Monday to Friday 8-19; F2: Monday to Friday 7-8 and 19-23, Saturday 7-23; F3: the rest, Sundays
-- and national holidays. The week is 24 digits for each day from Monday, read as bytes, since finding the n-th character of a text means
-- counting. The holiday is an argument, so that a month of hours reads the calendar once a day. Not strict, so that PostgreSQL can inline
-- it instead of calling it for every row.
create or replace function tariff_band(starts_at timestamptz, on_holiday boolean) returns text
language sql immutable parallel safe
return case when on_holiday then 'F3' else 'F' || chr(get_byte(
  '333333321111111111122223'
  '333333321111111111122223'
  '333333321111111111122223'
  '333333321111111111122223'
  '333333321111111111122223'
  '333333322222222222222223'
  '333333333333333333333333'::bytea,
  -- The hour of the week, from 0; 1 January 1970 was a Thursday. A single expression, so that it is evaluated once.
  ((date_part('epoch', starts_at at time zone 'Europe/Rome')::bigint / 3600 + 72) % 168)::integer
)) end;
comment on function tariff_band(timestamptz, boolean) is 'F1, F2 or F3 of the interval that starts at the instant.';
