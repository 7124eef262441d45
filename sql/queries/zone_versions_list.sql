-- Every version of the whole days of a zone, with its intervals by ordinal.
-- $1 zone   $2 first day   index: price_intervals (zone, starts_at)
select
  market_day as day, price, intervals, (extract(epoch from fetched_at) * 1000)::double precision as "fetchedAtMs", synthetic
from zone_day_versions($1::text, $2::date)
order by market_day, until
