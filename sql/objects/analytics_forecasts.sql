-- Past forecasts and their errors, for analysts: issued ones (basis live) and those of the replay behind the track record (basis replay).

create or replace view analytics.forecasts as
select
  f.chain, f.sequence, f.asset, f.role, f.model, f.version, f.issued_at, f.info_date, f.target_date, f.horizon_days,
  f.p10, f.p50, f.p90, f.inputs_sha256, f.previous_hash, f.hash, f.chain = 'sample' as is_synthetic,
  'live' as basis, null::timestamptz as as_of, null::timestamptz as made_at
from forecasts f
union all
select
  null, null, r.asset, f.role, f.model, f.version, null, f.info_date, f.target_date, f.horizon_days, f.p10, f.p50, f.p90, null, null, null,
  r.synthetic, 'replay', f.issued_at, r.made_at
from replayed_forecasts f
join forecast_replays r on r.id = f.replay_id
where r.purpose = 'accuracy';
comment on view analytics.forecasts is
  'Every forecast that was issued, as it was issued: the ledger, whose hashes anybody can recompute (basis live); and those computed afterwards as of past days (basis replay).';
comment on column analytics.forecasts.chain is 'issued: from publishers'' prices. sample: from synthetic ones. Null for replays, which are in no chain.';
comment on column analytics.forecasts.sequence is 'Position in the chain, from 1; null for replays, as are the hashes.';
comment on column analytics.forecasts.asset is 'PUN, PSV, TTF, Brent or CO2.';
comment on column analytics.forecasts.role is 'published: the forecast in API responses. benchmark: the naive forecast it is compared with.';
comment on column analytics.forecasts.model is 'The model that made it.';
comment on column analytics.forecasts.version is 'Version of the model''s method and of its trained state.';
comment on column analytics.forecasts.issued_at is 'When it was issued; null for replays.';
comment on column analytics.forecasts.info_date is 'Last market day whose price was known.';
comment on column analytics.forecasts.target_date is 'Market day forecast.';
comment on column analytics.forecasts.horizon_days is 'Calendar days from info_date to target_date.';
comment on column analytics.forecasts.p10 is 'Lower end of the band of 80%, in the native unit of the asset.';
comment on column analytics.forecasts.p50 is 'Median forecast, in the native unit.';
comment on column analytics.forecasts.p90 is 'Upper end of the band of 80%, in the native unit.';
comment on column analytics.forecasts.inputs_sha256 is 'SHA-256 of the prices that the model was given.';
comment on column analytics.forecasts.previous_hash is 'Hash of the row before it in the chain; 64 zeros in the first.';
comment on column analytics.forecasts.hash is 'SHA-256 of the row and of previous_hash, as the page on methodology describes.';
comment on column analytics.forecasts.is_synthetic is 'True where made from sample data.';
comment on column analytics.forecasts.basis is 'live: issued before its day. replay: computed afterwards from what was known at as_of.';
comment on column analytics.forecasts.as_of is 'Of a replay: the instant whose prices it was made from; null for issued forecasts.';
comment on column analytics.forecasts.made_at is 'Of a replay: when it was computed; null for issued forecasts.';

create or replace view analytics.forecast_errors as
select
  s.chain, s.asset, s.role, s.model, s.version, s.issued_at, s.info_date, s.target_date, s.horizon_days, s.p10, s.p50, s.p90,
  s.actual, s.error, s.abs_error, s.abs_pct_error, s.in_band, s.pinball, s.scored_at, s.is_synthetic, s.basis, s.as_of, s.made_at
from forecast_scores s;
comment on view analytics.forecast_errors is 'Past forecasts that have been scored, each with its errors; basis tells issued ones from replays.';
comment on column analytics.forecast_errors.chain is 'issued: from publishers'' prices. sample: from synthetic ones. Null for replays, which are in no chain.';
comment on column analytics.forecast_errors.asset is 'PUN, PSV, TTF, Brent or CO2.';
comment on column analytics.forecast_errors.role is 'published: the forecast in API responses. benchmark: the naive forecast it is compared with.';
comment on column analytics.forecast_errors.model is 'The model that made it.';
comment on column analytics.forecast_errors.version is 'Version of the model''s method and of its trained state.';
comment on column analytics.forecast_errors.issued_at is 'When it was issued; null for replays.';
comment on column analytics.forecast_errors.info_date is 'Last market day whose price was known.';
comment on column analytics.forecast_errors.target_date is 'Market day forecast.';
comment on column analytics.forecast_errors.horizon_days is 'Calendar days from info_date to target_date.';
comment on column analytics.forecast_errors.p10 is 'Lower end of the band of 80%.';
comment on column analytics.forecast_errors.p50 is 'Median forecast.';
comment on column analytics.forecast_errors.p90 is 'Upper end of the band of 80%.';
comment on column analytics.forecast_errors.actual is 'The actual price, as known at scored_at: later corrections change no score.';
comment on column analytics.forecast_errors.error is 'p50 minus actual, in the native unit.';
comment on column analytics.forecast_errors.abs_error is 'The same without its sign.';
comment on column analytics.forecast_errors.abs_pct_error is 'abs_error as a share of the price; null where the price is within 1 of zero.';
comment on column analytics.forecast_errors.in_band is 'Whether the price was between p10 and p90.';
comment on column analytics.forecast_errors.pinball is 'Mean pinball loss of p10, p50 and p90.';
comment on column analytics.forecast_errors.scored_at is 'When the price became known here; null for replays.';
comment on column analytics.forecast_errors.is_synthetic is 'True where made from sample data.';
comment on column analytics.forecast_errors.basis is 'live: issued before its day. replay: computed afterwards from what was known at as_of.';
comment on column analytics.forecast_errors.as_of is 'Of a replay: the instant whose prices it was made from; null for issued forecasts.';
comment on column analytics.forecast_errors.made_at is 'Of a replay: when it was computed; null for issued forecasts.';

create or replace view analytics.forecast_scores as
select
  a.chain, a.asset, a.role, a.model, a.horizon_days, a.n as forecasts, a.first_target, a.last_target, a.mae, a.mape, a.mape_left_out,
  a.bias, a.coverage_80, a.pinball, a.benchmark_mae, a.rmae, a.is_synthetic, a.basis
from forecast_accuracy a;
comment on view analytics.forecast_scores is 'Errors by basis, asset, model and horizon over everything scored so far: issued forecasts and replays are never in one figure.';
comment on column analytics.forecast_scores.chain is 'issued: from publishers'' prices. sample: from synthetic ones. Null for replays, which are in no chain.';
comment on column analytics.forecast_scores.asset is 'PUN, PSV, TTF, Brent or CO2.';
comment on column analytics.forecast_scores.role is 'published: the forecast in API responses. benchmark: the naive forecast it is compared with.';
comment on column analytics.forecast_scores.model is 'The model that made it.';
comment on column analytics.forecast_scores.horizon_days is 'Calendar days from info_date to target_date.';
comment on column analytics.forecast_scores.forecasts is 'Forecasts scored.';
comment on column analytics.forecast_scores.first_target is 'First day scored.';
comment on column analytics.forecast_scores.last_target is 'Last day scored.';
comment on column analytics.forecast_scores.mae is 'Mean absolute error, in the native unit.';
comment on column analytics.forecast_scores.mape is 'Mean of the errors as shares of the price.';
comment on column analytics.forecast_scores.mape_left_out is 'Forecasts left out of mape because their price is within 1 of zero.';
comment on column analytics.forecast_scores.bias is 'Mean error: positive where forecasts were too high.';
comment on column analytics.forecast_scores.coverage_80 is 'Share of prices within the band of 80%.';
comment on column analytics.forecast_scores.pinball is 'Mean pinball loss.';
comment on column analytics.forecast_scores.benchmark_mae is 'mae of the benchmark on the same days; null where there is none.';
comment on column analytics.forecast_scores.rmae is 'mae as a share of benchmark_mae: below 1 it beats the benchmark.';
comment on column analytics.forecast_scores.is_synthetic is 'True where made from sample data.';
comment on column analytics.forecast_scores.basis is 'live: issued before their day. replay: computed afterwards.';
