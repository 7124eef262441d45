-- Quarter-hours of a zone in order of time, as one row of columns (see bulk_intervals_list), with their tariff bands.
-- $1 zone   $2 from   $3 to, not included   $4 sources that may be passed on
-- index: price_intervals_pkey
with holidays_of_span as materialized (
  select h.market_day
  from national_holidays(($2::timestamptz at time zone 'Europe/Rome')::date, ($3::timestamptz at time zone 'Europe/Rome')::date) h
), quarters as (
  select p.starts_at, p.ordinal, p.price_eur_mwh, p.source, tariff_band(p.starts_at, h.market_day is not null) as band
  from price_intervals p
  left join holidays_of_span h using (market_day)
  where p.zone = $1 and p.starts_at >= $2::timestamptz and p.starts_at < $3::timestamptz and p.source = any ($4::text[])
    and p.resolution_minutes = 15
)
select
  count(*)::integer as row_count, $1::text as zone,
  array_agg(date_part('epoch', starts_at) * 1000 order by starts_at) as starts_at,
  array_agg(ordinal::double precision order by starts_at) as quarter,
  array_agg(price_eur_mwh order by starts_at) as eur_mwh,
  string_agg(band, ',' order by starts_at) as bands,
  string_agg(source, ',' order by starts_at) as sources
from quarters
