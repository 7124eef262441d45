-- Intervals as they were known at an instant, for analysts, built from current and corrected values.

create or replace function analytics.prices_as_of(zone text, first_day date, last_day date, known_at timestamptz)
returns table (
  starts_at timestamptz, market_day date, resolution_minutes smallint, price_eur_mwh double precision, source text, known_from timestamptz
)
language sql stable parallel safe
begin atomic
  select p.starts_at, p.market_day, p.resolution_minutes, p.price_eur_mwh, p.source, p.fetched_at
  from analytics.prices_by_interval p
  where p.zone = prices_as_of.zone and p.fetched_at <= known_at
    and p.starts_at >= market_day_start(first_day) and p.starts_at < market_day_start(last_day + 1)
  union all
  select c.starts_at, c.market_day, c.resolution_minutes, c.price, c.source, c.known_from
  from analytics.corrections c
  where c.kind = 'zone' and c.series = prices_as_of.zone and c.known_from <= known_at and c.known_until > known_at
    and c.starts_at >= market_day_start(first_day) and c.starts_at < market_day_start(last_day + 1);
end;
comment on function analytics.prices_as_of(text, date, date, timestamptz) is
  'Intervals of a zone as the service knew them at an instant, in no particular order.';

create or replace function analytics.compare_as_of(
  zone text, first_day date, last_day date, known_at_a timestamptz, known_at_b timestamptz
)
returns table (
  starts_at timestamptz, market_day date, resolution_minutes smallint, price_a_eur_mwh double precision, price_b_eur_mwh double precision,
  change_eur_mwh double precision
)
language sql stable parallel safe
begin atomic
  select
    coalesce(a.starts_at, b.starts_at), coalesce(a.market_day, b.market_day), coalesce(a.resolution_minutes, b.resolution_minutes),
    a.price_eur_mwh, b.price_eur_mwh, b.price_eur_mwh - a.price_eur_mwh
  from analytics.prices_as_of(zone, first_day, last_day, known_at_a) a
  full join analytics.prices_as_of(zone, first_day, last_day, known_at_b) b
    on b.starts_at = a.starts_at and b.resolution_minutes = a.resolution_minutes
  where a.price_eur_mwh is distinct from b.price_eur_mwh
  order by 1;
end;
comment on function analytics.compare_as_of(text, date, date, timestamptz, timestamptz) is
  'The intervals of a zone whose price was known differently at two instants; null where it was not known, or had another length.';
