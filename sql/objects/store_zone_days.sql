-- Expands concatenated days to one row per interval; helper of store_zone_days.
create or replace function expand_zone_days(
  p_zones text[],
  p_days date[],
  p_resolutions smallint[],
  p_intervals_per_day integer[],
  p_prices double precision[],
  p_observed_at timestamptz[],
  p_document_ids bigint[],
  p_decisions text[]
)
returns table (
  zone text, day date, resolution smallint, decision text, ordinal smallint, starts_at timestamptz, price double precision,
  observed_at timestamptz, document_id bigint
)
language sql immutable as $$
  with days as (
    select *, sum(i.intervals) over (order by i.n) - i.intervals as intervals_before,
           market_day_start(i.day) as day_start, make_interval(mins => i.resolution) as length
    from unnest(p_zones, p_days, p_resolutions, p_intervals_per_day, p_observed_at, p_document_ids, p_decisions)
      with ordinality as i (zone, day, resolution, intervals, observed_at, document_id, decision, n)
  )
  select d.zone, d.day, d.resolution, d.decision, o::smallint, d.day_start + (o - 1) * d.length,
         p_prices[d.intervals_before + o], d.observed_at, d.document_id
  from days d cross join lateral generate_series(1, d.intervals) as o
$$;

-- Stores complete, accepted zone-days from documents of one source and keeps the values they replace.
--
-- Only a source with the same or a lower priority number replaces a stored zone-day. At the same priority, a finer resolution replaces a
-- coarser one, never vice versa; a complete day always replaces one with gaps. Days at the same resolution are compared interval by
-- interval, so a correction changes only what differs. Prices are concatenated in the order of the days, and intervals_per_day has the
-- number of each; null is a missing price, which an operator may have accepted. A call may contain each zone-day only once. Idempotent
-- for the same document. Returns numbers of intervals.
create or replace function store_zone_days(
  p_zones text[],
  p_days date[],
  p_resolutions smallint[],
  p_intervals_per_day integer[],
  p_observed_at timestamptz[],
  p_document_ids bigint[],
  p_prices double precision[],
  p_source text,
  p_fetched_at timestamptz,
  out stored integer,
  out unchanged integer,
  out corrected integer,
  out outranked integer
)
-- A correction over years may decompress more than the default limit of 100,000 rows per transaction.
language plpgsql set timescaledb.max_tuples_decompressed_per_dml_transaction = 0 as $$
declare
  v_priority integer;
  v_first timestamptz := market_day_start((select min(d) from unnest(p_days) d));
  v_end timestamptz := market_day_start((select max(d) from unnest(p_days) d) + 1);
  v_decisions text[];
  -- Where p_prices has none; a slice for each day would copy all of them each time.
  v_missing integer[] := array_positions(p_prices, null);
  v_revised integer;
  v_zones text[];
  v_days date[];
  v_intervals integer[];
begin
  v_priority := begin_storing('store_prices', p_source, p_document_ids, p_fetched_at);
  if exists (select from unnest(p_zones) z where z not in (select code from zones)) then
    raise exception 'unknown zone among %', (select array_agg(distinct z) from unnest(p_zones) z) using errcode = 'foreign_key_violation';
  end if;
  if (select sum(n) from unnest(p_intervals_per_day) n) <> cardinality(p_prices) then
    raise exception 'prices do not fill the days' using errcode = 'check_violation';
  end if;

  -- What to do with each incoming zone-day: new, compare, replace, or leave (outranked). History most often finds nothing stored.
  if not exists (select from price_intervals p where p.zone = any (p_zones) and p.starts_at >= v_first and p.starts_at < v_end) then
    v_decisions := array_fill('new'::text, array[cardinality(p_zones)]);
  else
    with incoming as (
      select * from unnest(p_zones, p_days, p_resolutions) with ordinality as i (zone, day, resolution, n)
    ), present as (
      select p.zone, p.market_day, min(p.resolution_minutes) as resolution, max(s.priority) as priority,
             sum(p.resolution_minutes) = market_day_minutes(p.market_day) as complete
      from price_intervals p join sources s on s.id = p.source
      where p.zone = any (p_zones) and p.starts_at >= v_first and p.starts_at < v_end
      group by p.zone, p.market_day
    )
    select array_agg(
      case
        when d.zone is null then 'new'
        when i.resolution = d.resolution and (v_priority <= d.priority or not d.complete) then 'compare'
        when v_priority < d.priority or not d.complete then 'replace'
        when v_priority = d.priority and i.resolution < d.resolution then 'replace'
        else 'leave'
      end order by i.n)
    into v_decisions
    from incoming i left join present d on d.zone = i.zone and d.market_day = i.day;
  end if;

  select coalesce(sum(u.n) filter (where u.decision = 'leave'), 0), coalesce(sum(u.n) filter (where u.decision = 'replace'), 0)
  into outranked, corrected
  from unnest(v_decisions, p_intervals_per_day) as u (decision, n);

  if 'replace' = any (v_decisions) then
    with gone as (
      delete from price_intervals p
      using unnest(p_zones, p_days, v_decisions, p_document_ids) as i (zone, day, decision, document_id)
      where i.decision = 'replace' and p.zone = i.zone and p.market_day = i.day and p.starts_at >= v_first and p.starts_at < v_end
      returning p.*, i.document_id as superseded_by
    )
    insert into price_interval_revisions
      (zone, starts_at, resolution_minutes, market_day, ordinal, price_eur_mwh, source, observed_at, fetched_at, document_id,
       superseded_at, superseded_by)
    select g.zone, g.starts_at, g.resolution_minutes, g.market_day, g.ordinal, g.price_eur_mwh, g.source, g.observed_at,
           g.fetched_at, g.document_id, p_fetched_at, g.superseded_by
    from gone g;
  end if;

  if 'compare' = any (v_decisions) then
    with days as (
      select i.*, sum(i.intervals) over (order by i.n) - i.intervals as intervals_before
      from unnest(p_zones, p_days, p_intervals_per_day, p_document_ids, v_decisions)
        with ordinality as i (zone, day, intervals, document_id, decision, n)
    )
    insert into price_interval_revisions
      (zone, starts_at, resolution_minutes, market_day, ordinal, price_eur_mwh, source, observed_at, fetched_at, document_id,
       superseded_at, superseded_by)
    select p.zone, p.starts_at, p.resolution_minutes, p.market_day, p.ordinal, p.price_eur_mwh, p.source, p.observed_at,
           p.fetched_at, p.document_id, p_fetched_at, d.document_id
    -- Day by day: what has just been stored is not in the planner's statistics yet, and a join of intervals with intervals would
    -- compare each with each.
    from days d
    cross join lateral (
      select stored.*, p_prices[d.intervals_before + stored.ordinal] as new_price
      from price_intervals stored
      where stored.zone = d.zone and stored.starts_at >= market_day_start(d.day) and stored.starts_at < market_day_start(d.day + 1)
      offset 0
    ) p
    where d.decision = 'compare'
      and p.new_price is not null and (p.price_eur_mwh is distinct from p.new_price or p.source is distinct from p_source);
    get diagnostics v_revised = row_count;
    corrected := corrected + v_revised;
  end if;

  -- Only days to compare have rows that an interval may meet: looking for one costs as much as a third of storing it.
  with added as (
    insert into price_intervals
      (zone, starts_at, resolution_minutes, market_day, ordinal, price_eur_mwh, source, observed_at, fetched_at, document_id)
    select i.zone, i.starts_at, i.resolution, i.day, i.ordinal, i.price, p_source, i.observed_at, p_fetched_at, i.document_id
    from expand_zone_days(
      p_zones, p_days, p_resolutions, p_intervals_per_day, p_prices, p_observed_at, p_document_ids, v_decisions
    ) i
    where i.decision in ('new', 'replace') and i.price is not null
  ), compared as (
    insert into price_intervals as p
      (zone, starts_at, resolution_minutes, market_day, ordinal, price_eur_mwh, source, observed_at, fetched_at, document_id)
    select i.zone, i.starts_at, i.resolution, i.day, i.ordinal, i.price, p_source, i.observed_at, p_fetched_at, i.document_id
    from expand_zone_days(
      p_zones, p_days, p_resolutions, p_intervals_per_day, p_prices, p_observed_at, p_document_ids, v_decisions
    ) i
    where i.decision = 'compare' and i.price is not null
    on conflict (zone, starts_at) do update
      set price_eur_mwh = excluded.price_eur_mwh, source = excluded.source, observed_at = excluded.observed_at,
          fetched_at = excluded.fetched_at, document_id = excluded.document_id
      where p.price_eur_mwh is distinct from excluded.price_eur_mwh or p.source is distinct from excluded.source
    returning p.zone, p.market_day
  ), days as (
    select i.*, sum(i.intervals) over (order by i.n) - i.intervals as intervals_before
    from unnest(p_zones, p_days, p_intervals_per_day, v_decisions) with ordinality as i (zone, day, intervals, decision, n)
  ), zone_days as (
    select d.zone, d.day as market_day,
           d.intervals - (
             select count(*) from unnest(v_missing) as m where m > d.intervals_before and m <= d.intervals_before + d.intervals
           ) as intervals
    from days d
    where d.decision in ('new', 'replace')
    union all
    select zone, market_day, count(*) from compared group by zone, market_day
  )
  select coalesce(sum(intervals), 0), array_agg(zone), array_agg(market_day), array_agg(intervals)
  into stored, v_zones, v_days, v_intervals
  from zone_days
  where intervals > 0;

  unchanged := cardinality(p_prices) - cardinality(v_missing) - outranked - stored;
  stored := stored - corrected;
  if stored + corrected > 0 then
    update data_version set version = version + 1;
    perform record_zone_changes(
      v_zones, v_days, v_intervals, 'new' = all (v_decisions), 0 > any (p_prices), p_source, p_fetched_at
    );
  end if;
end $$;
