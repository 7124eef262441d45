-- Prices with exactly four decimals, joined by ','.
create or replace function ledger_prices(p_prices double precision[]) returns text
language sql immutable strict parallel safe
return (select string_agg(round(u.price::numeric, 4)::text, ',' order by u.n) from unnest(p_prices) with ordinality as u (price, n));
comment on function ledger_prices(double precision[]) is 'Prices of hours as the ledger writes them.';

-- The text whose SHA-256 is a row's hash: 'hours' and seventeen fields joined by '|'. src/market/ledger.ts builds the same text.
create or replace function hourly_forecast_ledger_line(
  p_chain text, p_sequence bigint, p_zone text, p_role text, p_issue text, p_model text, p_version text, p_inputs text,
  p_issued_at timestamptz, p_info_date date, p_target_date date, p_p10 double precision[], p_p50 double precision[],
  p_p90 double precision[], p_inputs_sha256 text, p_previous_hash text
)
returns text
language sql stable strict parallel safe
return concat_ws('|',
  'hours', p_chain, p_sequence, p_zone, p_role, p_issue, p_model, p_version, p_inputs,
  to_char(p_issued_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
  to_char(p_info_date, 'YYYY-MM-DD'), to_char(p_target_date, 'YYYY-MM-DD'), p_target_date - p_info_date,
  ledger_prices(p_p10), ledger_prices(p_p50), ledger_prices(p_p90), p_inputs_sha256, p_previous_hash);
comment on function hourly_forecast_ledger_line(
  text, bigint, text, text, text, text, text, text, timestamptz, date, date, double precision[], double precision[], double precision[],
  text, text
) is 'The canonical text of a row of the hourly ledger, of which its hash is the SHA-256.';

-- Numbers of a JSON array, rounded to four decimals.
create or replace function prices_of_json(p_array jsonb) returns double precision[]
language sql immutable strict parallel safe
return array(
  select round(e.value::numeric, 4)::double precision from jsonb_array_elements_text(p_array) with ordinality as e (value, n) order by e.n
);

-- Whether the arrays have one finite value for each hour of the day, with p10 ≤ p50 ≤ p90.
create or replace function are_hours_of(p_day date, p_p10 double precision[], p_p50 double precision[], p_p90 double precision[]) returns boolean
language sql stable strict parallel safe
return cardinality(p_p50) = market_day_minutes(p_day) / 60 and cardinality(p_p10) = cardinality(p_p50) and cardinality(p_p90) = cardinality(p_p50)
  and (select bool_and(u.p10 <= u.p50 and u.p50 <= u.p90 and u.p10 > '-infinity' and u.p90 < 'infinity')
       from unnest(p_p10, p_p50, p_p90) as u (p10, p50, p90));

-- Appends the forecasts of one zone to a chain, all or none, and returns their number, by the rules of issue_forecasts: per info date, the
-- same inputs are issued once, and so is the benchmark. p_days: objects with role, model, version, inputs, targetDate, p10, p50, p90.
create or replace function issue_hourly_forecasts(
  p_chain text, p_zone text, p_issue text, p_issued_at timestamptz, p_info_date date, p_inputs_sha256 text, p_days jsonb
)
returns integer
language plpgsql as $$
declare
  v_issued_at timestamptz := date_trunc('second', p_issued_at);
  v_after date := greatest(
    (select i.market_day from price_intervals i where i.zone = p_zone order by i.starts_at desc limit 1),
    case when p_zone = 'nazionale' then last_published_day('PUN') end,
    market_day_of(p_issued_at)
  );
  v_again boolean;
  v_same boolean;
  v_previous text;
  v_sequence bigint;
  v_last_at timestamptz;
  v_row record;
  v_hash text;
  v_count integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('forecast_ledger'));
  if p_zone not in (select code from zones) then
    raise exception 'unknown zone %', p_zone using errcode = 'foreign_key_violation';
  end if;
  select coalesce(bool_or(true), false), coalesce(bool_or(f.inputs_sha256 = p_inputs_sha256), false) into v_again, v_same
  from hourly_forecasts f where f.chain = p_chain and f.zone = p_zone and f.role = 'published' and f.info_date = p_info_date;
  if v_same then return 0; end if;
  select f.hash, f.sequence, f.issued_at into v_previous, v_sequence, v_last_at
  from hourly_forecasts f where f.chain = p_chain order by f.issued_at desc, f.sequence desc limit 1;
  if v_last_at > v_issued_at then
    raise exception 'the hourly chain % has forecasts of %, which is after %', p_chain, v_last_at, v_issued_at
      using errcode = 'check_violation';
  end if;
  v_previous := coalesce(v_previous, repeat('0', 64));
  v_sequence := coalesce(v_sequence, 0);

  for v_row in
    select d.day ->> 'role' as role, d.day ->> 'model' as model, d.day ->> 'version' as version, d.day ->> 'inputs' as inputs,
           (d.day ->> 'targetDate')::date as target_date, prices_of_json(d.day -> 'p10') as p10, prices_of_json(d.day -> 'p50') as p50,
           prices_of_json(d.day -> 'p90') as p90
    from jsonb_array_elements(p_days) with ordinality as d (day, n)
    where (d.day ->> 'targetDate')::date > v_after and not (v_again and d.day ->> 'role' = 'benchmark')
    order by d.n
  loop
    if not are_hours_of(v_row.target_date, v_row.p10, v_row.p50, v_row.p90) then
      raise exception 'the hours of % for % are not those of its day, or cross', p_zone, v_row.target_date using errcode = 'check_violation';
    end if;
    v_count := v_count + 1;
    v_hash := encode(sha256(convert_to(hourly_forecast_ledger_line(
      p_chain, v_sequence + v_count, p_zone, v_row.role, p_issue, v_row.model, v_row.version, v_row.inputs, v_issued_at, p_info_date,
      v_row.target_date, v_row.p10, v_row.p50, v_row.p90, p_inputs_sha256, v_previous), 'UTF8')), 'hex');
    insert into hourly_forecasts
      (chain, sequence, zone, role, issue, model, version, inputs, issued_at, info_date, target_date, horizon_days, p10, p50, p90,
       inputs_sha256, previous_hash, hash)
    values (p_chain, v_sequence + v_count, p_zone, v_row.role, p_issue, v_row.model, v_row.version, v_row.inputs, v_issued_at, p_info_date,
            v_row.target_date, v_row.target_date - p_info_date, v_row.p10, v_row.p50, v_row.p90, p_inputs_sha256, v_previous, v_hash);
    v_previous := v_hash;
  end loop;
  if v_count = 0 then return 0; end if;
  update data_version set version = version + 1;
  perform record_changes(
    jsonb_build_array(jsonb_build_object(
      'kind', 'forecast.issued', 'dataset', 'forecasts-hourly', 'zones', array[p_zone],
      'details', jsonb_build_object('info_date', p_info_date, 'forecasts', v_count)
    )),
    p_chain = 'sample', v_issued_at
  );
  return v_count;
end $$;
