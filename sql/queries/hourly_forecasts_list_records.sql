-- Published forecasts of hours by target day, one a day, with what came true.
-- $1 chain   $2 zone   $3 first target   $4 last target (inclusive)   $5 horizon in days, null for the shortest of each day
-- $6 issue, null for the last   index: hourly_forecasts_by_target
select
  sequence, issue, model, version, inputs, issued_at, info_date, target_date, horizon_days, p10, p50, p90, inputs_sha256, previous_hash, hash,
  actual
from hourly_forecast_records($1::text, $2::text, $3::date, $4::date, $5::integer, $6::text)
order by target_date
