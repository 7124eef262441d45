-- The daily prices of a year in one row: twenty years of them are read as twenty rows, where a row a day costs a millisecond for
-- every three hundred.

create materialized view zone_prices_yearly
with (timescaledb.continuous, timescaledb.materialized_only = true) as
select
  zone,
  time_bucket(interval '1 year', starts_at, 'Europe/Rome') as starts_at,
  array_agg(market_day order by market_day) filter (where minutes = expected_minutes) as market_days,
  array_agg(price_eur_mwh order by market_day) filter (where minutes = expected_minutes) as prices_eur_mwh,
  array_agg(distinct source_first) filter (where minutes = expected_minutes) as sources_first,
  array_agg(distinct source_last) filter (where minutes = expected_minutes) as sources_last
from zone_prices_daily
group by zone, time_bucket(interval '1 year', starts_at, 'Europe/Rome')
with no data;

comment on view zone_prices_yearly is 'The market days of a calendar year per zone that are whole, in order, with their prices: two arrays of one length.';
