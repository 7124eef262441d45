-- Stores accepted days of fundamentals from documents of one source and keeps the values they replace.
--
-- A day of a series and area is stored unless a source with a lower priority number already has it, or the same source has it at a finer
-- resolution. Missing intervals stay missing, and stored ones stay where the document has none. At the same resolution, only values that
-- differ are replaced, while equal ones take the new source; a finer day replaces a coarser one. The first value of an interval counts as
-- known from p_known_at, a later one from the instant at which it was read. Values are concatenated in the order of the days; null is a
-- missing value. A call may contain each day of a series and area only once. Returns numbers of intervals.
create or replace function store_fundamental_days(
  p_series text[],
  p_areas text[],
  p_days date[],
  p_resolutions smallint[],
  p_units text[],
  p_intervals_per_day integer[],
  p_known_at timestamptz[],
  p_document_ids bigint[],
  p_values double precision[],
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
  v_taken boolean[];
  v_refined boolean[];
  v_present integer;
  v_changes jsonb;
begin
  v_priority := begin_storing('store_fundamentals', p_source, p_document_ids, p_fetched_at);
  if (select sum(n) from unnest(p_intervals_per_day) n) <> cardinality(p_values) then
    raise exception 'values do not fill the days' using errcode = 'check_violation';
  end if;

  with present as (
    select f.series, f.area, f.market_day, max(f.resolution_minutes) as coarsest, min(f.resolution_minutes) as finest,
           min(s.priority) as priority
    from fundamentals f join sources s on s.id = f.source
    where f.series = any (p_series) and f.area = any (p_areas) and f.starts_at >= v_first and f.starts_at < v_end
    group by f.series, f.area, f.market_day
  )
  select array_agg(p.series is null or v_priority < p.priority or v_priority = p.priority and i.resolution <= p.finest order by i.n),
         array_agg(p.series is not null and (v_priority < p.priority and i.resolution <> p.coarsest or v_priority = p.priority and i.resolution < p.coarsest)
                   order by i.n)
  into v_taken, v_refined
  from unnest(p_series, p_areas, p_days, p_resolutions) with ordinality as i (series, area, day, resolution, n)
  left join present p on p.series = i.series and p.area = i.area and p.market_day = i.day;

  select coalesce(sum(u.n) filter (where not u.taken), 0) into outranked from unnest(v_taken, p_intervals_per_day) as u (taken, n);

  corrected := 0;
  if true = any (v_refined) then
    with gone as (
      delete from fundamentals f
      using unnest(p_series, p_areas, p_days, p_resolutions, v_refined, p_document_ids)
        as i (series, area, day, resolution, refined, document_id)
      where i.refined and f.series = i.series and f.area = i.area and f.market_day = i.day and f.resolution_minutes <> i.resolution
        and f.starts_at >= v_first and f.starts_at < v_end
      returning f.*, i.document_id as superseded_by
    )
    insert into fundamental_revisions
      (series, area, starts_at, resolution_minutes, market_day, value, unit, source, known_at, fetched_at, document_id, superseded_at, superseded_by)
    select g.series, g.area, g.starts_at, g.resolution_minutes, g.market_day, g.value, g.unit, g.source, g.known_at, g.fetched_at,
           g.document_id, p_fetched_at, g.superseded_by
    from gone g;
  end if;

  with days as (
    select *, sum(i.intervals) over (order by i.n) - i.intervals as intervals_before
    from unnest(p_series, p_areas, p_days, p_resolutions, p_units, p_intervals_per_day, p_known_at, p_document_ids, v_taken, v_refined)
      with ordinality as i (series, area, day, resolution, unit, intervals, known_at, document_id, taken, refined, n)
  ), incoming as materialized (
    select d.series, d.area, d.day, d.resolution, d.unit, d.document_id, d.known_at, d.refined,
           market_day_start(d.day) + make_interval(mins => (o - 1) * d.resolution) as starts_at, p_values[d.intervals_before + o] as value
    from days d cross join lateral generate_series(1, d.intervals) as o
    where d.taken and p_values[d.intervals_before + o] is not null
  ), replaced as materialized (
    select f.*, i.document_id as superseded_by
    from incoming i
    join fundamentals f on f.series = i.series and f.area = i.area and f.starts_at = i.starts_at
    where f.series = any (p_series) and f.area = any (p_areas) and f.starts_at >= v_first and f.starts_at < v_end
  ), revised as (
    insert into fundamental_revisions
      (series, area, starts_at, resolution_minutes, market_day, value, unit, source, known_at, fetched_at, document_id, superseded_at, superseded_by)
    select r.series, r.area, r.starts_at, r.resolution_minutes, r.market_day, r.value, r.unit, r.source, r.known_at, r.fetched_at,
           r.document_id, p_fetched_at, r.superseded_by
    from replaced r join incoming i on i.series = r.series and i.area = r.area and i.starts_at = r.starts_at
    where r.value <> i.value
    returning series, area, market_day
  ), written as (
    insert into fundamentals as f
      (series, area, starts_at, resolution_minutes, market_day, value, unit, source, known_at, fetched_at, document_id)
    select i.series, i.area, i.starts_at, i.resolution, i.day, i.value, i.unit, p_source,
           case when i.refined then p_fetched_at else i.known_at end, p_fetched_at, i.document_id
    from incoming i
    on conflict (series, area, starts_at) do update
      set value = excluded.value, source = excluded.source, fetched_at = excluded.fetched_at, document_id = excluded.document_id,
          known_at = case when f.value = excluded.value then f.known_at else excluded.fetched_at end
      where f.value <> excluded.value or f.source <> excluded.source
    returning series, area, market_day
  ), corrected_days as (
    select series, area, market_day from revised
    union
    select series, area, day from days where refined
  ), by_day as (
    select series, area, market_day, count(*) as intervals, bool_or(c.is_corrected) is not null as is_corrected
    from written
    left join (select *, true as is_corrected from corrected_days) c using (series, area, market_day)
    group by series, area, market_day
  ), changed as (
    select series, market_day, is_corrected, jsonb_object_agg(area, intervals order by area) as intervals
    from by_day
    group by series, market_day, is_corrected
  )
  select
    (select count(*) from written), (select count(*) from revised), (select count(*) from incoming),
    (select coalesce(jsonb_agg(jsonb_build_object(
       'kind', case when is_corrected then 'day.corrected' else 'day.published' end,
       'dataset', case when market_of(series) is null then 'fundamentals' else 'markets' end, 'market_day', market_day,
       'details', jsonb_build_object('series', series, 'intervals', intervals)
     ) order by market_day, series, is_corrected), '[]') from changed)
  into stored, corrected, v_present, v_changes;

  unchanged := v_present - stored;
  stored := stored - corrected;
  if stored + corrected > 0 then update data_version set version = version + 1; end if;
  perform record_changes(v_changes, (select synthetic from sources where id = p_source), p_fetched_at);
end $$;
