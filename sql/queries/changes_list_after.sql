-- Changes after a position, in order, with the head of the record; one row without a change if there is none. Prices are listed once the
-- aggregates hold them, and nothing after them before that, so that the address of a value answers with it.
-- $1 position   $2 datasets, null for all   $3 limit   index: changes_pkey, changes_of_prices
with log as (
  select l.log_id, l.position, l.removed, coalesce(
    (select min(c.position) - 1 from changes c where c.dataset in ('pun', 'zones') and c.position > l.refreshed), l.position
  ) as readable
  from change_log l
)
select
  jsonb_build_object('id', log.log_id, 'position', log.position, 'readable', log.readable, 'removed', log.removed) as log,
  c.position, c.occurred_at as "occurredAt", c.kind, c.dataset, c.asset, c.zones, c.market_day as day, c.version, c.synthetic, c.details
from log
left join lateral (
  select * from changes
  where position > $1::bigint and position <= log.readable and ($2::text[] is null or dataset is null or dataset = any ($2::text[]))
  order by position
  limit $3::integer
) c on true
order by c.position
