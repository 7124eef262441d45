-- First and last interval of any zone, null if there is none; looked up zone by zone, which the index answers directly.
-- $1 zones   index: price_intervals_pkey
select min(bounds.first) as first, max(bounds.last) as last
from unnest($1::text[]) as z (zone)
cross join lateral (
  select min(starts_at) as first, max(starts_at) as last from price_intervals where zone = z.zone
) as bounds
