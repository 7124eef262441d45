-- The latest published forecast of a zone, one row per day.
-- $1 chain   $2 zone   index: hourly_forecasts_by_issue
select f.info_date as "infoDate", f.issued_at as "issuedAt", f.issue, f.target_date as "targetDate", f.model, f.version, f.inputs, f.p10, f.p50, f.p90
from hourly_forecasts f
where f.chain = $1::text and f.zone = $2::text and f.role = 'published'
  and (f.info_date, f.issued_at) = (
    select l.info_date, l.issued_at from hourly_forecasts l
    where l.chain = $1::text and l.zone = $2::text and l.role = 'published'
    order by l.info_date desc, l.issued_at desc limit 1
  )
order by f.target_date
