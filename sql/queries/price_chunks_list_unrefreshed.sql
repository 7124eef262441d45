-- Spans of the price chunks that the aggregates have never included or that have changed since the last refresh; always includes the
-- latest chunk. Each span is a day longer at both ends, since a refresh includes a day across the end of a chunk only if the span
-- contains all of it. No parameters.
with refreshed as (
  select min(last) as last from (
    select coalesce(max(starts_at), '-infinity') as last from zone_prices_hourly
    union all
    select coalesce(max(starts_at), '-infinity') from zone_prices_daily
    union all
    select coalesce(max(starts_at), '-infinity') from zone_prices_day_parts
  ) as of_aggregates
),
changed as (
  select distinct market_day from changes
  where position > (select refreshed from change_log) and dataset in ('pun', 'zones')
),
spans as (
  select range_start, range_end, range_start - interval '1 day' as first, range_end + interval '1 day' as last
  from timescaledb_information.chunks
  where hypertable_schema = 'public' and hypertable_name = 'price_intervals'
)
select s.first::text as first, s.last::text as last
from spans as s
where s.range_end > (select last from refreshed)
  or exists (select from changed as c where c.market_day between s.first::date and s.last::date)
order by s.range_start
