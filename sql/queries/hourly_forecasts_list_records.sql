-- Published forecasts of hours by target day, one a day, with the actual prices: the one that was issued or, where there is none, the replayed one.
-- $1 chain   $2 zone   $3 first target   $4 last target (inclusive)   $5 horizon in days, null for the shortest of each day
-- $6 live, replay or all   $7 issue, null for the last   index: hourly_forecasts_by_target
with live as (
  select * from hourly_forecast_records($1::text, $2::text, $3::date, $4::date, $5::integer, $7::text) where $6::text <> 'replay'
)
select
  'live' as basis, sequence, issue, model, version, inputs, issued_at as "issuedAt", null::timestamptz as "asOf",
  null::timestamptz as "madeAt", info_date as "infoDate", target_date as "targetDate", horizon_days as "horizonDays", p10, p50, p90,
  inputs_sha256 as "inputsSha256", previous_hash as "previousHash", hash, actual
from live
union all
select
  'replay', null, r.issue, r.model, r.version, r.inputs, null, r.as_of, r.made_at, r.info_date, r.target_date, r.horizon_days,
  r.p10, r.p50, r.p90, null, null, null, r.actual
from replayed_hourly_records($1::text, $2::text, $3::date, $4::date, $5::integer, $7::text) r
where $6::text <> 'live' and not exists (select from live l where l.target_date = r.target_date)
order by "targetDate"
