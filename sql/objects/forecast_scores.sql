-- Stores the actual price of every forecast day of an asset that has become known since the last run, and returns their number. Prices
-- from publishers score the chain based on publishers' prices, synthetic prices the synthetic chain.
create or replace function score_forecasts(p_asset text, p_scored_at timestamptz) returns integer
language plpgsql as $$
declare
  v_from date;
  v_to date;
  v_count integer;
begin
  perform pg_advisory_xact_lock(hashtext('forecast_ledger'));
  select min(f.target_date), max(f.target_date) into v_from, v_to from forecasts f where f.asset = p_asset;
  if v_from is null then return 0; end if;
  insert into forecast_actuals (chain, asset, target_date, actual, source, observed_at, scored_at)
  select c.chain, p_asset, d.market_day, d.price, d.source_last, d.observed_at, p_scored_at
  from asset_daily_prices(p_asset, v_from, v_to) d
  join sources s1 on s1.id = d.source_first
  join sources s2 on s2.id = d.source_last and s2.synthetic = s1.synthetic
  cross join lateral (select case when s1.synthetic then 'sample' else 'issued' end as chain) c
  where exists (select from forecasts f where f.chain = c.chain and f.asset = p_asset and f.role = 'published' and f.target_date = d.market_day)
    and not exists (select from forecast_actuals a where a.chain = c.chain and a.asset = p_asset and a.target_date = d.market_day);
  get diagnostics v_count = row_count;
  if v_count > 0 then update data_version set version = version + 1; end if;
  return v_count;
end $$;

-- Pinball loss of one quantile (Koenker and Bassett, 1978).
create or replace function pinball_loss(p_actual double precision, p_quantile double precision, p_level double precision)
returns double precision
language sql immutable strict parallel safe
return greatest(p_level * (p_actual - p_quantile), (p_level - 1) * (p_actual - p_quantile));
comment on function pinball_loss(double precision, double precision, double precision) is
  'Loss of a forecast of the quantile at the level, such as 0.1 for p10.';

-- For analysts: each scored forecast with its errors, including replays, which belong to no chain.
create or replace view forecast_scores as
select
  f.chain, f.asset, f.role, f.model, f.version, f.issued_at, f.info_date, f.target_date, f.horizon_days, f.p10, f.p50, f.p90,
  f.actual,
  f.p50 - f.actual as error,
  abs(f.p50 - f.actual) as abs_error,
  case when abs(f.actual) > 1 then abs(f.p50 - f.actual) / abs(f.actual) end as abs_pct_error,
  f.actual between f.p10 and f.p90 as in_band,
  (pinball_loss(f.actual, f.p10, 0.1) + pinball_loss(f.actual, f.p50, 0.5) + pinball_loss(f.actual, f.p90, 0.9)) / 3 as pinball,
  f.scored_at, f.is_synthetic, f.basis, f.as_of, f.made_at
from (
  select
    i.chain, i.asset, i.role, i.model, i.version, i.issued_at, i.info_date, i.target_date, i.horizon_days, i.p10, i.p50, i.p90,
    a.actual, a.scored_at, i.chain = 'sample' as is_synthetic, 'live' as basis, null::timestamptz as as_of, null::timestamptz as made_at
  from forecasts i
  join forecast_actuals a on a.chain = i.chain and a.asset = i.asset and a.target_date = i.target_date
  union all
  select
    null, r.asset, m.role, m.model, m.version, null, m.info_date, m.target_date, m.horizon_days, m.p10, m.p50, m.p90,
    m.actual, null, r.synthetic, 'replay', m.issued_at, r.made_at
  from replayed_forecasts m
  join forecast_replays r on r.id = m.replay_id
  where r.purpose = 'accuracy' and m.actual is not null
) f;
comment on view forecast_scores is 'Scored forecasts, issued and replayed, with the price as it was known at scoring and the errors of each.';
comment on column forecast_scores.abs_pct_error is 'Share of the price; null where the price is within 1 €/MWh of zero.';
comment on column forecast_scores.pinball is 'Mean pinball loss of p10, p50 and p90.';

-- For analysts: errors by basis, asset, model and horizon, with those of the benchmark on the same days.
create or replace view forecast_accuracy as
select
  s.chain, s.asset, s.role, s.model, s.horizon_days,
  count(*)::integer as n,
  min(s.target_date) as first_target,
  max(s.target_date) as last_target,
  avg(s.abs_error) as mae,
  avg(s.abs_pct_error) as mape,
  (count(*) - count(s.abs_pct_error))::integer as mape_left_out,
  avg(s.error) as bias,
  avg(s.in_band::integer)::double precision as coverage_80,
  avg(s.pinball) as pinball,
  avg(b.abs_error) as benchmark_mae,
  avg(s.abs_error) filter (where b.abs_error is not null) / nullif(avg(b.abs_error), 0) as rmae,
  s.is_synthetic,
  s.basis
from forecast_scores s
left join forecast_scores b
  on b.basis = s.basis and b.is_synthetic = s.is_synthetic and b.asset = s.asset and b.role = 'benchmark' and b.info_date = s.info_date
  and b.target_date = s.target_date
group by s.chain, s.asset, s.role, s.model, s.horizon_days, s.is_synthetic, s.basis;
comment on view forecast_accuracy is 'Errors by basis, asset, model and horizon over everything scored so far. rmae: mae as a share of the benchmark''s on the same days.';

-- The replay shown until there is a track record: the asset's latest one from real or from synthetic prices.
create or replace function accuracy_replay(p_chain text, p_asset text) returns bigint
language sql stable parallel safe as $$
  select r.id from forecast_replays r
  where r.asset = p_asset and r.synthetic = (p_chain = 'sample') and r.purpose = 'accuracy' order by r.made_at desc, r.id desc limit 1
$$;
comment on function accuracy_replay(text, text) is 'The replay that is shown until there is a track record; null where there is none.';

drop function if exists forecast_records(text, text, date, date, integer), replay_records(text, text, date, date, integer);

-- The forecasts of an asset, one per target day: the one with the given horizon or, if null, the shortest. p_basis: live, replay, or all,
-- which falls back to the replayed forecast for days without a published one.
create or replace function forecast_records(p_basis text, p_chain text, p_asset text, p_from date, p_to date, p_horizon integer)
returns table (
  basis text, sequence bigint, model text, version text, issued_at timestamptz, as_of timestamptz, made_at timestamptz, info_date date,
  target_date date, horizon_days smallint, p10 double precision, p50 double precision, p90 double precision, inputs_sha256 text,
  previous_hash text, hash text, actual double precision, benchmark text, benchmark_p10 double precision, benchmark_p50 double precision,
  benchmark_p90 double precision
)
language sql stable parallel safe as $$
  with live as (
    select
      'live', f.sequence, f.model, f.version, f.issued_at, null::timestamptz, null::timestamptz, f.info_date, f.target_date, f.horizon_days,
      f.p10, f.p50, f.p90, f.inputs_sha256, f.previous_hash, f.hash, a.actual, b.model, b.p10, b.p50, b.p90
    from (
      select distinct on (i.target_date) i.* from forecasts i
      where p_basis <> 'replay' and i.chain = p_chain and i.asset = p_asset and i.role = 'published'
        and i.target_date between p_from and p_to and (p_horizon is null or i.horizon_days = p_horizon)
      order by i.target_date, i.horizon_days, i.issued_at desc
    ) f
    left join forecast_actuals a on a.chain = f.chain and a.asset = f.asset and a.target_date = f.target_date
    left join forecasts b
      on b.chain = f.chain and b.asset = f.asset and b.role = 'benchmark' and b.info_date = f.info_date and b.target_date = f.target_date
  )
  select * from live
  union all
  select
    'replay', null, f.model, f.version, null, f.issued_at, r.made_at, f.info_date, f.target_date, f.horizon_days,
    f.p10, f.p50, f.p90, null, null, null, f.actual, b.model, b.p10, b.p50, b.p90
  from (
    select distinct on (i.target_date) i.* from replayed_forecasts i
    where p_basis <> 'live' and i.replay_id = accuracy_replay(p_chain, p_asset) and i.role = 'published'
      and i.target_date between p_from and p_to and (p_horizon is null or i.horizon_days = p_horizon)
    order by i.target_date, i.horizon_days
  ) f
  join forecast_replays r on r.id = f.replay_id
  left join replayed_forecasts b
    on b.replay_id = f.replay_id and b.role = 'benchmark' and b.info_date = f.info_date and b.target_date = f.target_date
  where not exists (select from live l where l.target_date = f.target_date)
$$;
comment on function forecast_records(text, text, text, date, date, integer) is
  'Forecasts by target day with the actual price and the benchmark of the same issue; as_of and made_at: what a replay knew, and when it was computed.';
