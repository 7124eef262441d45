-- Reserves p_count positions and returns the one before them. The update of change_log waits for concurrent transactions to commit, so
-- positions are in commit order and rollbacks leave no gaps: a reader at a position has not missed an earlier one.
create or replace function take_change_positions(p_count bigint) returns bigint language sql as $$
  update change_log set position = position + p_count returning position - p_count
$$;
comment on table changes is
  'What happened, in the order of commits. Written only by record_changes and record_zone_changes; kept for 90 days.';
comment on function take_change_positions(bigint) is 'For changes that the same transaction writes.';

-- Appends changes, given as [{kind, dataset, asset, zones, market_day, version, details, key_root}], in the transaction that makes them.
-- Call it last: it blocks other writers of changes until the commit.
create or replace function record_changes(p_changes jsonb, p_synthetic boolean, p_at timestamptz) returns void
language plpgsql as $$
declare
  v_before bigint;
begin
  if jsonb_array_length(p_changes) = 0 then return; end if;
  v_before := take_change_positions(jsonb_array_length(p_changes));
  insert into changes (position, occurred_at, kind, dataset, asset, zones, market_day, version, synthetic, details, key_root)
  select v_before + c.n, p_at, c.kind, c.dataset, c.asset, c.zones, c.market_day, c.version, p_synthetic,
         coalesce(c.details, '{}'), c.key_root
  from rows from (
    jsonb_to_recordset(p_changes)
      as (kind text, dataset text, asset text, zones text[], market_day date, version integer, details jsonb, key_root text)
  ) with ordinality as c (kind, dataset, asset, zones, market_day, version, details, key_root, n);
end $$;
comment on function record_changes(jsonb, boolean, timestamptz) is 'The writer of changes, beside record_zone_changes.';

-- Appends the changes of zone-days just written, one per market day and dataset; helper of store_zone_days. p_first: none of the days had
-- values. It inserts the rows itself: passing an import of several years as JSON would take half as long again.
create or replace function record_zone_changes(
  p_zones text[], p_days date[], p_intervals integer[], p_first boolean, p_negative boolean, p_source text, p_at timestamptz
)
returns void
language sql as $$
  with written as (
    select case w.zone when 'nazionale' then 'pun' else 'zones' end as dataset, w.zone, w.day, w.intervals,
           case when p_first then 1 else 1 + (
             select count(distinct r.superseded_at) from price_interval_revisions r
             where r.zone = w.zone and r.starts_at >= market_day_start(w.day) and r.starts_at < market_day_start(w.day + 1)
           ) end as version
    from unnest(p_zones, p_days, p_intervals) as w (zone, day, intervals)
  ), below_zero as (
    select w.dataset, w.day, p.zone, count(*) as intervals, min(p.price_eur_mwh) as lowest
    from written w
    join price_intervals p
      on p.zone = w.zone and p.starts_at >= market_day_start(w.day) and p.starts_at < market_day_start(w.day + 1)
    where p_negative and p.price_eur_mwh < 0
    group by w.dataset, w.day, p.zone
  ), listed as (
    select dataset, day, case when version = 1 then 'day.published' else 'day.corrected' end as kind, max(version) as version,
           array_agg(zone order by zone) as zones, jsonb_build_object('intervals', jsonb_object_agg(zone, intervals)) as details
    from written
    group by dataset, day, version = 1
    union all
    select dataset, day, 'hours.negative', null, array_agg(zone order by zone),
           jsonb_build_object('intervals', jsonb_object_agg(zone, intervals), 'lowest_eur_mwh', min(lowest))
    from below_zero
    group by dataset, day
  ), numbered as (
    select *, row_number() over (order by day, dataset, kind) as n from listed
  ), taken as (
    select take_change_positions(count(*)) as before from numbered
  )
  insert into changes (position, occurred_at, kind, dataset, zones, market_day, version, synthetic, details)
  select t.before + n.n, p_at, n.kind, n.dataset, case n.dataset when 'zones' then n.zones end, n.day, n.version, s.synthetic, n.details
  from numbered n cross join taken t join sources s on s.id = p_source
$$;
comment on function record_zone_changes(text[], date[], integer[], boolean, boolean, text, timestamptz) is
  'Records what store_zone_days has written.';

-- Changes of prices, and any after them, become readable once the aggregates include the prices, so that the API already returns them.
create or replace function readable_changes() returns bigint
language sql stable parallel safe
return (
  select coalesce(
    (select min(c.position) - 1 from changes c where c.dataset in ('pun', 'zones') and c.position > l.refreshed), l.position
  )
  from change_log l
);
comment on function readable_changes() is 'Changes up to this position can be read.';

-- `matchesFilter` in src/delivery/changes/change-feed.ts applies the same rule to changes in memory.
create or replace function change_passes(p_change changes, p_kinds text[], p_datasets text[], p_key_root text) returns boolean
language sql immutable parallel safe
return (p_kinds is null or (p_change).kind = any (p_kinds))
  and (p_datasets is null or (p_change).dataset is null or (p_change).dataset = any (p_datasets))
  and (p_key_root is null or (p_change).key_root is null or (p_change).key_root = p_key_root);
comment on function change_passes(changes, text[], text[], text) is
  'Whether a change is of these kinds, of these datasets or of all, and visible to the holder; null: any.';
