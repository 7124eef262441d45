-- Published forecasts by target day, one a day, with the actual price.
-- $1 chain   $2 asset   $3 first target   $4 last target (inclusive)   $5 horizon in days, null for the shortest of each day
-- index: forecasts_by_target
select
  sequence, model, version, issued_at as "issuedAt", info_date as "infoDate", target_date as "targetDate", horizon_days as "horizonDays",
  p10, p50, p90, inputs_sha256 as "inputsSha256", previous_hash as "previousHash", hash, actual
from forecast_records($1::text, $2::text, $3::date, $4::date, $5::integer)
order by target_date
