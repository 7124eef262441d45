-- Readable changes after a position, in order, with the head of the change log; one row without a change if there is none.
-- $1 position   $2 datasets, null for all   $3 limit   $4 whose own changes, by the first key; null: everybody's   $5 kinds, null for all
-- index: changes_pkey, changes_of_prices
with log as (
  select l.log_id, l.position, l.removed, readable_changes() as readable from change_log l
)
select
  jsonb_build_object('id', log.log_id, 'position', log.position, 'readable', log.readable, 'removed', log.removed) as log,
  c.position, c.occurred_at as "occurredAt", c.kind, c.dataset, c.asset, c.zones, c.market_day as day, c.version, c.synthetic, c.details,
  c.key_root as "keyRoot"
from log
left join lateral (
  select * from changes c
  where c.position > $1::bigint and c.position <= log.readable and change_passes(c, $5::text[], $2::text[], $4::text)
  order by c.position
  limit $3::integer
) c on true
order by c.position
