-- Stores the actual prices of every forecast day that has become completely known since the last run, and returns the number of days.
-- A day that is not known within 60 days of its issue stays unscored.
create or replace function score_hourly_forecasts(p_scored_at timestamptz) returns integer
language plpgsql as $$
declare
  v_count integer;
begin
  perform pg_advisory_xact_lock(hashtext('forecast_ledger'));
  insert into hourly_forecast_actuals (chain, zone, target_date, actual, source, observed_at, scored_at)
  select u.chain, u.zone, u.target_date, d.actual, d.source, d.observed_at, p_scored_at
  from (
    select distinct f.chain, f.zone, f.target_date from hourly_forecasts f
    where f.role = 'published' and f.issued_at > p_scored_at - interval '60 days'
      and not exists (
        select from hourly_forecast_actuals a where a.chain = f.chain and a.zone = f.zone and a.target_date = f.target_date
      )
  ) u
  cross join lateral (
    select array_agg(h.price_eur_mwh order by h.starts_at) as actual, max(h.source_last) as source, max(h.observed_at) as observed_at
    from zone_prices_hourly h
    join sources s1 on s1.id = h.source_first
    join sources s2 on s2.id = h.source_last
    where h.zone = u.zone and h.starts_at >= market_day_start(u.target_date) and h.starts_at < market_day_start(u.target_date + 1)
      and h.minutes = 60 and s1.synthetic = (u.chain = 'sample') and s2.synthetic = (u.chain = 'sample')
  ) d
  where cardinality(d.actual) = market_day_minutes(u.target_date) / 60;
  get diagnostics v_count = row_count;
  if v_count > 0 then update data_version set version = version + 1; end if;
  return v_count;
end $$;

drop function if exists hourly_forecast_records(text, text, date, date, integer, text),
  replayed_hourly_records(text, text, date, date, integer, text);

-- Like forecast_records, for a zone; limited to one issue if p_issue is given, otherwise the last issue.
create or replace function hourly_forecast_records(
  p_basis text, p_chain text, p_zone text, p_from date, p_to date, p_horizon integer, p_issue text
)
returns table (
  basis text, sequence bigint, issue text, model text, version text, inputs text, issued_at timestamptz, as_of timestamptz,
  made_at timestamptz, info_date date, target_date date, horizon_days smallint, p10 double precision[], p50 double precision[],
  p90 double precision[], inputs_sha256 text, previous_hash text, hash text, actual double precision[], benchmark text,
  benchmark_p10 double precision[], benchmark_p50 double precision[], benchmark_p90 double precision[]
)
language sql stable parallel safe as $$
  with live as (
    select
      'live', f.sequence, f.issue, f.model, f.version, f.inputs, f.issued_at, null::timestamptz, null::timestamptz, f.info_date,
      f.target_date, f.horizon_days, f.p10, f.p50, f.p90, f.inputs_sha256, f.previous_hash, f.hash, a.actual, b.model, b.p10, b.p50, b.p90
    from (
      select distinct on (i.target_date) i.* from hourly_forecasts i
      where p_basis <> 'replay' and i.chain = p_chain and i.zone = p_zone and i.role = 'published'
        and i.target_date between p_from and p_to and (p_horizon is null or i.horizon_days = p_horizon)
        and (p_issue is null or i.issue = p_issue)
      order by i.target_date, i.horizon_days, i.issued_at desc
    ) f
    left join hourly_forecast_actuals a on a.chain = f.chain and a.zone = f.zone and a.target_date = f.target_date
    left join hourly_forecasts b
      on b.chain = f.chain and b.zone = f.zone and b.role = 'benchmark' and b.info_date = f.info_date and b.target_date = f.target_date
  )
  select * from live
  union all
  select
    'replay', null, f.issue, f.model, f.version, f.inputs, null, f.issued_at, f.made_at, f.info_date, f.target_date, f.horizon_days,
    f.p10, f.p50, f.p90, null, null, null, f.actual, b.model, b.p10, b.p50, b.p90
  from (
    select distinct on (i.target_date) i.*, r.made_at
    from replayed_hourly_forecasts i
    join forecast_replays r on r.id = i.replay_id
    where p_basis <> 'live' and r.asset = 'hours:' || p_zone and r.synthetic = (p_chain = 'sample') and r.purpose = 'accuracy'
      and i.role = 'published' and i.target_date between p_from and p_to
      and (p_horizon is null or i.horizon_days = p_horizon) and (p_issue is null or i.issue = p_issue)
    order by i.target_date, i.horizon_days, r.made_at desc
  ) f
  left join replayed_hourly_forecasts b
    on b.replay_id = f.replay_id and b.role = 'benchmark' and b.info_date = f.info_date and b.target_date = f.target_date
  where not exists (select from live l where l.target_date = f.target_date)
$$;
comment on function hourly_forecast_records(text, text, text, date, date, integer, text) is
  'Forecasts of hours by target day with the actual prices and the benchmark of the same issue, as forecast_records.';

-- Each hour of each scored forecast with its errors, including replays, which belong to no chain.
create or replace view hourly_forecast_scores as
select
  f.chain, f.zone, f.role, f.issue, f.model, f.version, f.inputs, f.issued_at, f.info_date, f.target_date, f.horizon_days,
  u.hour::integer as hour, market_day_start(f.target_date) + (u.hour - 1) * interval '1 hour' as starts_at,
  u.p10, u.p50, u.p90, u.actual, u.p50 - u.actual as error, abs(u.p50 - u.actual) as abs_error,
  u.actual between u.p10 and u.p90 as in_band,
  (pinball_loss(u.actual, u.p10, 0.1) + pinball_loss(u.actual, u.p50, 0.5) + pinball_loss(u.actual, u.p90, 0.9)) / 3 as pinball,
  f.scored_at, f.is_synthetic, f.basis, f.as_of, f.made_at
from (
  select
    i.chain, i.zone, i.role, i.issue, i.model, i.version, i.inputs, i.issued_at, i.info_date, i.target_date, i.horizon_days,
    i.p10, i.p50, i.p90, a.actual, a.scored_at, i.chain = 'sample' as is_synthetic, 'live' as basis, null::timestamptz as as_of,
    null::timestamptz as made_at
  from hourly_forecasts i
  join hourly_forecast_actuals a on a.chain = i.chain and a.zone = i.zone and a.target_date = i.target_date
  union all
  select
    null, substr(r.asset, 7), m.role, m.issue, m.model, m.version, m.inputs, null, m.info_date, m.target_date, m.horizon_days,
    m.p10, m.p50, m.p90, m.actual, null, r.synthetic, 'replay', m.issued_at, r.made_at
  from replayed_hourly_forecasts m
  join forecast_replays r on r.id = m.replay_id
  where r.purpose = 'accuracy' and m.actual is not null
) f
cross join lateral unnest(f.p10, f.p50, f.p90, f.actual) with ordinality as u (p10, p50, p90, actual, hour);
comment on view hourly_forecast_scores is 'Hours that were forecast or replayed and have come, with the price as it was known at scoring and the errors of each.';
