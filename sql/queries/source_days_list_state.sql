-- The state of a source's market days: whether each is complete, how often it was requested, and whether it was reported late.
-- $1 source   $2 days   index: (source, market_day)
select
  d.day as market_day,
  p.outcome is not distinct from 'complete' as settled,
  coalesce(p.attempts, 0) as attempts,
  p.asked_at,
  p.ask_again_at,
  exists (select from source_events e where e.source = $1::text and e.kind = 'late' and e.market_day = d.day) as late
from unnest($2::date[]) as d (day)
left join publications p on p.source = $1::text and p.market_day = d.day
order by d.day desc
