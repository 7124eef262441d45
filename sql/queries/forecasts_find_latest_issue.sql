-- The latest published forecast of an asset, one row per day.
-- $1 chain   $2 asset   index: forecasts_by_issue
select f.info_date as "infoDate", f.issued_at as "issuedAt", f.target_date as "targetDate", f.horizon_days as "horizonDays", f.model, f.version,
  f.p10, f.p50, f.p90
from forecasts f
where f.chain = $1::text and f.asset = $2::text and f.role = 'published'
  and (f.info_date, f.issued_at) = (
    select l.info_date, l.issued_at from forecasts l
    where l.chain = $1::text and l.asset = $2::text and l.role = 'published'
    order by l.info_date desc, l.issued_at desc limit 1
  )
order by f.target_date
