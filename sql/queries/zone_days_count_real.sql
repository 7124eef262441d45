-- Number of whole days of a zone with a publisher's prices.
-- $1 zone   $2 first day   $3 last day (inclusive)   index: zone_prices_daily (zone, starts_at)
select count(*)::integer as days
from zone_prices_daily p
where p.zone = $1::text and p.starts_at >= market_day_start($2::date) and p.starts_at < market_day_start($3::date + 1)
  and p.minutes = p.expected_minutes
  and p.source_first not in (select id from sources where synthetic) and p.source_last not in (select id from sources where synthetic)
