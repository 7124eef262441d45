-- The forecasts for a market day: for each info date the last issue or, if none was issued, the replay.
-- $1 chain   $2 asset   $3 target day   $4 longest horizon in days   index: forecasts_by_target
with issued as (
  select distinct on (f.info_date) f.info_date, f.issued_at, f.model, f.horizon_days, f.p10, f.p50, f.p90
  from forecasts f
  where f.chain = $1::text and f.asset = $2::text and f.role = 'published' and f.target_date = $3::date and f.horizon_days <= $4::integer
  order by f.info_date, f.issued_at desc
), known as (
  select i.*, 'issued' as basis from issued i
  union all
  select r.info_date, r.issued_at, r.model, r.horizon_days, r.p10, r.p50, r.p90, 'replay' as basis
  from replayed_forecasts r
  where r.replay_id = accuracy_replay($1::text, $2::text) and r.role = 'published' and r.target_date = $3::date
    and r.horizon_days <= $4::integer and not exists (select from issued i where i.info_date = r.info_date)
)
select
  info_date as "infoDate", issued_at as "issuedAt", model, horizon_days as "horizonDays", p10, p50, p90, basis
from known
order by info_date
