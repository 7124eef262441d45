-- Stores accepted daily prices from documents of one source and keeps the values they replace. Only a source with the same or a lower
-- priority number replaces a value. The PUN of a day with all intervals is computed from them. Idempotent for the same document.
create or replace function store_daily_prices(
  p_assets text[],
  p_days date[],
  p_prices double precision[],
  p_observed_at timestamptz[],
  p_document_ids bigint[],
  p_source text,
  p_fetched_at timestamptz,
  out stored integer,
  out unchanged integer,
  out corrected integer,
  out outranked integer
)
language plpgsql as $$
declare
  v_priority integer;
  v_asked integer := cardinality(p_prices);
  v_changes jsonb;
begin
  v_priority := begin_storing('store_prices', p_source, p_document_ids, p_fetched_at);
  if exists (select from unnest(p_assets) a where a not in (select code from assets)) then
    raise exception 'unknown asset among %', (select array_agg(distinct a) from unnest(p_assets) a) using errcode = 'foreign_key_violation';
  end if;

  if 'PUN' = any (p_assets) then
    select coalesce(array_agg(i.asset order by i.n), '{}'), coalesce(array_agg(i.day order by i.n), '{}'),
           coalesce(array_agg(i.price order by i.n), '{}'), coalesce(array_agg(i.observed_at order by i.n), '{}'),
           coalesce(array_agg(i.document_id order by i.n), '{}')
    into p_assets, p_days, p_prices, p_observed_at, p_document_ids
    from unnest(p_assets, p_days, p_prices, p_observed_at, p_document_ids)
      with ordinality as i (asset, day, price, observed_at, document_id, n)
    where i.asset <> 'PUN' or not exists (
      select from price_intervals p
      where p.zone = 'nazionale' and p.starts_at >= market_day_start(i.day) and p.starts_at < market_day_start(i.day + 1)
      having sum(p.resolution_minutes) = market_day_minutes(i.day)
    );
  end if;

  select v_asked - cardinality(p_prices) + count(*) into outranked
  from unnest(p_assets, p_days) as i (asset, day)
  join daily_prices p on p.asset = i.asset and p.market_day = i.day
  join sources s on s.id = p.source
  where v_priority > s.priority;

  insert into daily_price_revisions
    (asset, market_day, price, source, observed_at, fetched_at, document_id, superseded_at, superseded_by)
  select p.asset, p.market_day, p.price, p.source, p.observed_at, p.fetched_at, p.document_id, p_fetched_at, i.document_id
  from unnest(p_assets, p_days, p_prices, p_document_ids) as i (asset, day, price, document_id)
  join daily_prices p on p.asset = i.asset and p.market_day = i.day
  join sources s on s.id = p.source
  where v_priority <= s.priority and (p.price is distinct from i.price or p.source is distinct from p_source);
  get diagnostics corrected = row_count;

  with written as (
    insert into daily_prices as p (asset, market_day, price, source, observed_at, fetched_at, document_id)
    select i.asset, i.day, i.price, p_source, i.observed_at, p_fetched_at, i.document_id
    from unnest(p_assets, p_days, p_prices, p_observed_at, p_document_ids) as i (asset, day, price, observed_at, document_id)
    on conflict (asset, market_day) do update
      set price = excluded.price, source = excluded.source, observed_at = excluded.observed_at,
          fetched_at = excluded.fetched_at, document_id = excluded.document_id
      where v_priority <= (select s.priority from sources s where s.id = p.source)
        and (p.price is distinct from excluded.price or p.source is distinct from excluded.source)
    returning p.asset, p.market_day
  ), versions as (
    select w.asset, w.market_day, 1 + (
      select count(*) from daily_price_revisions r where r.asset = w.asset and r.market_day = w.market_day
    ) as version
    from written w
  )
  select count(*), jsonb_agg(jsonb_build_object(
    'kind', case version when 1 then 'day.published' else 'day.corrected' end, 'dataset', lower(asset), 'market_day', market_day,
    'version', version, 'details', case asset when 'PUN' then '{"basis": "daily_mean"}' else '{}' end::jsonb
  ) order by market_day, asset)
  into stored, v_changes
  from versions;

  unchanged := v_asked - outranked - stored;
  stored := stored - corrected;
  if stored + corrected > 0 then
    update data_version set version = version + 1;
    perform record_changes(v_changes, (select synthetic from sources where id = p_source), p_fetched_at);
  end if;
end $$;
