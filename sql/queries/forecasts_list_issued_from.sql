-- The curve of an info date: from its last issue or, if none was issued, from the replay.
-- $1 chain   $2 asset   $3 info date   $4 longest horizon in days   index: forecasts_by_issue
with issued as (
  select f.target_date, f.horizon_days, f.p10, f.p50, f.p90
  from forecasts f
  where f.chain = $1::text and f.asset = $2::text and f.role = 'published' and f.info_date = $3::date and f.horizon_days <= $4::integer
    and f.issued_at = (
      select max(l.issued_at) from forecasts l
      where l.chain = $1::text and l.asset = $2::text and l.role = 'published' and l.info_date = $3::date
    )
), known as (
  select * from issued
  union all
  select r.target_date, r.horizon_days, r.p10, r.p50, r.p90
  from replayed_forecasts r
  where r.replay_id = accuracy_replay($1::text, $2::text) and r.role = 'published' and r.info_date = $3::date
    and r.horizon_days <= $4::integer and not exists (select from issued)
)
select target_date as "targetDate", horizon_days as "horizonDays", p10, p50, p90
from known
order by target_date
