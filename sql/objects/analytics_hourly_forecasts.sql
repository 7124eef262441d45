-- Past hourly forecasts and their errors, for analysts: issued ones (basis live) and replayed ones (basis replay), one row per hour.

create or replace view analytics.hourly_forecasts as
select
  f.chain, f.sequence, f.zone, f.role, f.issue, f.model, f.version, f.inputs, f.issued_at, f.info_date, f.target_date, f.horizon_days,
  u.hour::integer as hour, market_day_start(f.target_date) + (u.hour - 1) * interval '1 hour' as starts_at,
  market_day_start(f.target_date) + u.hour * interval '1 hour' as ends_at,
  u.p10, u.p50, u.p90, f.inputs_sha256, f.previous_hash, f.hash, f.is_synthetic, f.basis, f.as_of, f.made_at
from (
  select
    i.chain, i.sequence, i.zone, i.role, i.issue, i.model, i.version, i.inputs, i.issued_at, i.info_date, i.target_date, i.horizon_days,
    i.p10, i.p50, i.p90, i.inputs_sha256, i.previous_hash, i.hash, i.chain = 'sample' as is_synthetic, 'live' as basis,
    null::timestamptz as as_of, null::timestamptz as made_at
  from hourly_forecasts i
  union all
  select
    null, null, substr(r.asset, 7), m.role, m.issue, m.model, m.version, m.inputs, null, m.info_date, m.target_date, m.horizon_days,
    m.p10, m.p50, m.p90, null, null, null, r.synthetic, 'replay', m.issued_at, r.made_at
  from replayed_hourly_forecasts m
  join forecast_replays r on r.id = m.replay_id
  where r.purpose = 'accuracy'
) f
cross join lateral unnest(f.p10, f.p50, f.p90) with ordinality as u (p10, p50, p90, hour);
comment on view analytics.hourly_forecasts is 'Every hour that was forecast, as it was issued (basis live) or computed afterwards as of a past day (basis replay). Fast where zone and a span of target_date are given.';
comment on column analytics.hourly_forecasts.chain is 'issued: from publishers'' prices. sample: from synthetic ones. Null for replays, which are in no chain.';
comment on column analytics.hourly_forecasts.sequence is 'Position of the day''s forecast in the hourly chain, from 1.';
comment on column analytics.hourly_forecasts.zone is 'Zone of the day-ahead market; nazionale is the PUN.';
comment on column analytics.hourly_forecasts.role is 'published: what the API answers with. benchmark: the naive forecast it is compared with.';
comment on column analytics.hourly_forecasts.issue is 'pre-auction, midday or evening.';
comment on column analytics.hourly_forecasts.model is 'Which model made it.';
comment on column analytics.hourly_forecasts.version is 'Version of the model''s method and of its trained state.';
comment on column analytics.hourly_forecasts.inputs is 'everything, without-neighbours, usual-weather, without-weather or prices-only: what was known of the day besides prices and gas.';
comment on column analytics.hourly_forecasts.issued_at is 'When it was issued; null for replays.';
comment on column analytics.hourly_forecasts.info_date is 'Last market day whose price was known.';
comment on column analytics.hourly_forecasts.target_date is 'Market day of the hour.';
comment on column analytics.hourly_forecasts.horizon_days is 'Calendar days from info_date to target_date.';
comment on column analytics.hourly_forecasts.hour is 'Market hour from 1, by elapsed time: to 23 or 25 on the change days.';
comment on column analytics.hourly_forecasts.starts_at is 'Instant at which the hour begins.';
comment on column analytics.hourly_forecasts.ends_at is 'Instant at which the next hour begins.';
comment on column analytics.hourly_forecasts.p10 is 'Lower end of the band of 80%, €/MWh.';
comment on column analytics.hourly_forecasts.p50 is 'Median forecast, €/MWh.';
comment on column analytics.hourly_forecasts.p90 is 'Upper end of the band of 80%, €/MWh.';
comment on column analytics.hourly_forecasts.inputs_sha256 is 'SHA-256 of everything that the model was given.';
comment on column analytics.hourly_forecasts.previous_hash is 'Hash of the row before it in the chain; 64 zeros in the first.';
comment on column analytics.hourly_forecasts.hash is 'SHA-256 of the day''s row and of previous_hash, as the page on methodology describes.';
comment on column analytics.hourly_forecasts.is_synthetic is 'True where made from sample data.';
comment on column analytics.hourly_forecasts.basis is 'live: issued before its day. replay: computed afterwards from what was known at as_of.';
comment on column analytics.hourly_forecasts.as_of is 'Of a replay: the instant whose prices it was made from; null for issued forecasts.';
comment on column analytics.hourly_forecasts.made_at is 'Of a replay: when it was computed; null for issued forecasts.';

create or replace view analytics.hourly_forecast_errors as
select
  s.chain, s.zone, s.role, s.issue, s.model, s.version, s.inputs, s.issued_at, s.info_date, s.target_date, s.horizon_days, s.hour,
  s.starts_at, s.p10, s.p50, s.p90, s.actual, s.error, s.abs_error, s.in_band, s.pinball, s.scored_at, s.is_synthetic, s.basis, s.as_of,
  s.made_at
from hourly_forecast_scores s;
comment on view analytics.hourly_forecast_errors is 'Hours that were forecast and have come, each with its errors. Fast where zone and a span of target_date are given.';
comment on column analytics.hourly_forecast_errors.chain is 'issued: from publishers'' prices. sample: from synthetic ones. Null for replays, which are in no chain.';
comment on column analytics.hourly_forecast_errors.zone is 'Zone of the day-ahead market; nazionale is the PUN.';
comment on column analytics.hourly_forecast_errors.role is 'published: what the API answers with. benchmark: the naive forecast it is compared with.';
comment on column analytics.hourly_forecast_errors.issue is 'pre-auction, midday or evening.';
comment on column analytics.hourly_forecast_errors.model is 'Which model made it.';
comment on column analytics.hourly_forecast_errors.version is 'Version of the model''s method and of its trained state.';
comment on column analytics.hourly_forecast_errors.inputs is 'everything, without-neighbours, usual-weather, without-weather or prices-only.';
comment on column analytics.hourly_forecast_errors.issued_at is 'When it was issued; null for replays.';
comment on column analytics.hourly_forecast_errors.info_date is 'Last market day whose price was known.';
comment on column analytics.hourly_forecast_errors.target_date is 'Market day of the hour.';
comment on column analytics.hourly_forecast_errors.horizon_days is 'Calendar days from info_date to target_date.';
comment on column analytics.hourly_forecast_errors.hour is 'Market hour from 1, by elapsed time.';
comment on column analytics.hourly_forecast_errors.starts_at is 'Instant at which the hour begins.';
comment on column analytics.hourly_forecast_errors.p10 is 'Lower end of the band of 80%, €/MWh.';
comment on column analytics.hourly_forecast_errors.p50 is 'Median forecast, €/MWh.';
comment on column analytics.hourly_forecast_errors.p90 is 'Upper end of the band of 80%, €/MWh.';
comment on column analytics.hourly_forecast_errors.actual is 'The price that came, as known at scored_at: later corrections change no score.';
comment on column analytics.hourly_forecast_errors.error is 'p50 minus actual, €/MWh.';
comment on column analytics.hourly_forecast_errors.abs_error is 'The same without its sign.';
comment on column analytics.hourly_forecast_errors.in_band is 'Whether the price lay between p10 and p90.';
comment on column analytics.hourly_forecast_errors.pinball is 'Mean pinball loss of p10, p50 and p90.';
comment on column analytics.hourly_forecast_errors.scored_at is 'When the day became known here.';
comment on column analytics.hourly_forecast_errors.is_synthetic is 'True where made from sample data.';
comment on column analytics.hourly_forecast_errors.basis is 'live: issued before its day. replay: computed afterwards from what was known at as_of.';
comment on column analytics.hourly_forecast_errors.as_of is 'Of a replay: the instant whose prices it was made from; null for issued forecasts.';
comment on column analytics.hourly_forecast_errors.made_at is 'Of a replay: when it was computed; null for issued forecasts.';

create or replace view analytics.hourly_forecast_scores as
select
  s.chain, s.zone, s.role, s.issue, s.model, s.inputs, s.horizon_days,
  count(*)::integer as hours, min(s.target_date) as first_target, max(s.target_date) as last_target,
  avg(s.abs_error) as mae, avg(s.error) as bias, avg(s.in_band::integer)::double precision as coverage_80, avg(s.pinball) as pinball,
  avg(b.abs_error) as benchmark_mae,
  avg(s.abs_error) filter (where b.abs_error is not null) / nullif(avg(b.abs_error), 0) as rmae,
  s.is_synthetic, s.basis
from hourly_forecast_scores s
left join hourly_forecast_scores b
  on b.basis = s.basis and b.is_synthetic = s.is_synthetic and b.zone = s.zone and b.role = 'benchmark' and b.info_date = s.info_date and b.target_date = s.target_date
     and b.hour = s.hour
group by s.chain, s.zone, s.role, s.issue, s.model, s.inputs, s.horizon_days, s.is_synthetic, s.basis;
comment on view analytics.hourly_forecast_scores is 'Errors of hours by basis, zone, issue, model, inputs and horizon over everything scored so far.';
comment on column analytics.hourly_forecast_scores.chain is 'issued: from publishers'' prices. sample: from synthetic ones. Null for replays, which are in no chain.';
comment on column analytics.hourly_forecast_scores.zone is 'Zone of the day-ahead market; nazionale is the PUN.';
comment on column analytics.hourly_forecast_scores.role is 'published: what the API answers with. benchmark: the naive forecast it is compared with.';
comment on column analytics.hourly_forecast_scores.issue is 'pre-auction, midday or evening.';
comment on column analytics.hourly_forecast_scores.model is 'Which model made it.';
comment on column analytics.hourly_forecast_scores.inputs is 'everything, without-neighbours, usual-weather, without-weather or prices-only.';
comment on column analytics.hourly_forecast_scores.horizon_days is 'Calendar days from info_date to target_date.';
comment on column analytics.hourly_forecast_scores.hours is 'Hours scored.';
comment on column analytics.hourly_forecast_scores.first_target is 'First day scored.';
comment on column analytics.hourly_forecast_scores.last_target is 'Last day scored.';
comment on column analytics.hourly_forecast_scores.mae is 'Mean absolute error, €/MWh.';
comment on column analytics.hourly_forecast_scores.bias is 'Mean error: positive where forecasts were too high.';
comment on column analytics.hourly_forecast_scores.coverage_80 is 'Share of hours within the band of 80%.';
comment on column analytics.hourly_forecast_scores.pinball is 'Mean pinball loss.';
comment on column analytics.hourly_forecast_scores.benchmark_mae is 'mae of the benchmark in the same hours; null where there is none.';
comment on column analytics.hourly_forecast_scores.rmae is 'mae as a share of benchmark_mae: below 1 it beats the benchmark.';
comment on column analytics.hourly_forecast_scores.is_synthetic is 'True where made from sample data.';
comment on column analytics.hourly_forecast_scores.basis is 'live: issued before their day. replay: computed afterwards.';
