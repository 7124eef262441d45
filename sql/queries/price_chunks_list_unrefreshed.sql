-- Spans of the chunks of prices that the aggregates lack, since they were never refreshed so far, or that have changed since the last refresh;
-- the latest chunk always. A day more on either side, since a day that lies across the end of a chunk is refreshed only where a span holds all
-- of it. No parameters.
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
