-- Market time in SQL. A market day is a calendar day in Europe/Rome. The time zone is always explicit and never depends on the session.

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
