-- Forecasts by target day, one per day, with the actual price.
-- $1 live, replay or all   $2 chain   $3 asset; of hours the zone   $4 first target   $5 last target (inclusive)
-- $6 horizon in days, null for the shortest of each day   $7 of hours: issue, null for the last   index: (hourly_)forecasts_by_target
select
  basis, sequence, model, version, issued_at as "issuedAt", as_of as "asOf", made_at as "madeAt", info_date as "infoDate",
  target_date as "targetDate", horizon_days as "horizonDays", p10, p50, p90, inputs_sha256 as "inputsSha256",
  previous_hash as "previousHash", hash, actual
  -- hours: previous_hash as "previousHash", hash, actual, issue, inputs
from forecast_records($1, $2, $3, $4, $5, $6)
-- hours: from hourly_forecast_records($1, $2, $3, $4, $5, $6, $7)
order by target_date
