-- Published forecasts of hours by target day, one a day, with what came true.
-- $1 chain   $2 zone   $3 first target   $4 last target (inclusive)   $5 horizon in days, null for the shortest of each day
-- $6 issue, null for the last   index: hourly_forecasts_by_target
select
  sequence, issue, model, version, inputs, issued_at as "issuedAt", info_date as "infoDate", target_date as "targetDate",
  horizon_days as "horizonDays", p10, p50, p90, inputs_sha256 as "inputsSha256", previous_hash as "previousHash", hash, actual
from hourly_forecast_records($1::text, $2::text, $3::date, $4::date, $5::integer, $6::text)
order by target_date
