-- The text whose SHA-256 is a row's hash: fifteen fields joined by '|'. Instants in UTC to the second, dates as YYYY-MM-DD, prices with
-- exactly four decimals. src/market/ledger.ts builds the same text; the page /docs/methodology documents it.
create or replace function forecast_ledger_line(
  p_chain text, p_sequence bigint, p_asset text, p_role text, p_model text, p_version text, p_issued_at timestamptz,
  p_info_date date, p_target_date date, p_p10 double precision, p_p50 double precision, p_p90 double precision,
  p_inputs_sha256 text, p_previous_hash text
)
returns text
language sql stable strict parallel safe
return concat_ws('|',
  p_chain, p_sequence, p_asset, p_role, p_model, p_version,
  to_char(p_issued_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
  to_char(p_info_date, 'YYYY-MM-DD'), to_char(p_target_date, 'YYYY-MM-DD'), p_target_date - p_info_date,
  round(p_p10::numeric, 4), round(p_p50::numeric, 4), round(p_p90::numeric, 4),
  p_inputs_sha256, p_previous_hash);
comment on function forecast_ledger_line(
  text, bigint, text, text, text, text, timestamptz, date, date, double precision, double precision, double precision, text, text
) is 'The canonical text of a row of the ledger, of which its hash is the SHA-256.';

-- The last market day with any stored price, complete or not: a forecast for that day or an earlier one would come too late.
create or replace function last_published_day(p_asset text) returns date
language sql stable as $$
  select greatest(
    (select max(d.market_day) from daily_prices d where d.asset = p_asset),
    (select i.market_day from price_intervals i where p_asset = 'PUN' and i.zone = 'nazionale' order by i.starts_at desc limit 1)
  )
$$;
comment on function last_published_day(text) is 'The last market day of which a price is stored, days with gaps included.';

-- Appends the forecasts of one asset to a chain, all or none, and returns their number. If the info date already has a forecast from the
-- same inputs, nothing is appended. If its inputs differ, only the published forecasts are issued again: the benchmark depends on the
-- asset alone. Days that have begun or been published are left out. The arrays are parallel.
create or replace function issue_forecasts(
  p_chain text,
  p_asset text,
  p_issued_at timestamptz,
  p_info_date date,
  p_inputs_sha256 text,
  p_roles text[],
  p_models text[],
  p_versions text[],
  p_target_dates date[],
  p_p10 double precision[],
  p_p50 double precision[],
  p_p90 double precision[]
)
returns integer
language plpgsql as $$
declare
  v_issued_at timestamptz := date_trunc('second', p_issued_at);
  v_after date := greatest(last_published_day(p_asset), market_day_of(p_issued_at));
  v_again boolean;
  v_same boolean;
  v_last record;
  v_row record;
  v_hash text;
  v_previous text;
  v_hashes text[] := '{}';
begin
  perform pg_advisory_xact_lock(hashtext('forecast_ledger'));
  if p_asset not in (select code from assets) then
    raise exception 'unknown asset %', p_asset using errcode = 'foreign_key_violation';
  end if;
  select coalesce(bool_or(true), false), coalesce(bool_or(f.inputs_sha256 = p_inputs_sha256), false) into v_again, v_same
  from forecasts f where f.chain = p_chain and f.asset = p_asset and f.role = 'published' and f.info_date = p_info_date;
  if v_same then return 0; end if;
  select f.sequence, f.hash, f.issued_at into v_last
  from forecasts f where f.chain = p_chain order by f.issued_at desc, f.sequence desc limit 1;
  if v_last.issued_at > v_issued_at then
    raise exception 'the chain % has forecasts of %, which is after %', p_chain, v_last.issued_at, v_issued_at
      using errcode = 'check_violation';
  end if;

  v_previous := coalesce(v_last.hash, repeat('0', 64));
  for v_row in
    select i.* from unnest(p_roles, p_models, p_versions, p_target_dates, p_p10, p_p50, p_p90)
      with ordinality as i (role, model, version, target_date, p10, p50, p90, n)
    where i.target_date > v_after and not (v_again and i.role = 'benchmark') order by i.n
  loop
    v_hash := encode(sha256(convert_to(forecast_ledger_line(
      p_chain, coalesce(v_last.sequence, 0) + cardinality(v_hashes) + 1, p_asset, v_row.role, v_row.model, v_row.version, v_issued_at,
      p_info_date, v_row.target_date, v_row.p10, v_row.p50, v_row.p90, p_inputs_sha256, v_previous), 'UTF8')), 'hex');
    v_hashes := v_hashes || v_hash;
    v_previous := v_hash;
  end loop;
  if v_hashes = '{}' then return 0; end if;

  insert into forecasts
    (chain, sequence, asset, role, model, version, issued_at, info_date, target_date, horizon_days, p10, p50, p90, inputs_sha256,
     previous_hash, hash)
  select p_chain, coalesce(v_last.sequence, 0) + e.position, p_asset, e.role, e.model, e.version, v_issued_at, p_info_date, e.target_date,
         e.target_date - p_info_date, round(e.p10::numeric, 4), round(e.p50::numeric, 4), round(e.p90::numeric, 4), p_inputs_sha256,
         coalesce(v_hashes[e.position - 1], v_last.hash, repeat('0', 64)), v_hashes[e.position]
  from (
    select i.*, row_number() over (order by i.n)::integer as position
    from unnest(p_roles, p_models, p_versions, p_target_dates, p_p10, p_p50, p_p90)
      with ordinality as i (role, model, version, target_date, p10, p50, p90, n)
    where i.target_date > v_after and not (v_again and i.role = 'benchmark')
  ) e;
  update data_version set version = version + 1;
  perform record_changes(
    jsonb_build_array(jsonb_build_object(
      'kind', 'forecast.issued', 'dataset', 'forecasts', 'asset', p_asset,
      'details', jsonb_build_object('info_date', p_info_date, 'forecasts', cardinality(v_hashes))
    )),
    p_chain = 'sample', v_issued_at
  );
  return cardinality(v_hashes);
end $$;
