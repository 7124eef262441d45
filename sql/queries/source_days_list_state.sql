-- What is known of market days of a source: whether each is there and that was noted, how often it was asked for, whether it was told
-- to be late.
-- $1 source   $2 zones   $3 assets   $4 days   index: (zone, starts_at), (asset, market_day), (source, market_day)
select
  d.day as market_day,
  source_day_is_whole(own.priority, $2::text[], $3::text[], d.day) as whole,
  p.outcome is not distinct from 'complete' as settled,
  coalesce(p.attempts, 0) as attempts,
  p.asked_at,
  p.ask_again_at,
  exists (select from source_events e where e.source = own.id and e.kind = 'late' and e.market_day = d.day) as late
from unnest($4::date[]) as d (day)
cross join (select id, priority from sources where id = $1::text) own
left join publications p on p.source = own.id and p.market_day = d.day
order by d.day desc
