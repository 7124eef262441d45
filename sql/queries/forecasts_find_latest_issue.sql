-- What was last published about an asset, as one row with arrays in order of day.
-- $1 chain   $2 asset   index: forecasts_by_issue
select
  f.info_date, f.issued_at, f.model, f.version,
  array_agg(f.target_date order by f.target_date) as target_dates,
  array_agg(f.horizon_days order by f.target_date) as horizons,
  array_agg(f.p10 order by f.target_date) as p10,
  array_agg(f.p50 order by f.target_date) as p50,
  array_agg(f.p90 order by f.target_date) as p90
from forecasts f
where f.chain = $1::text and f.asset = $2::text and f.role = 'published'
  and f.info_date = (
    select max(l.info_date) from forecasts l where l.chain = $1::text and l.asset = $2::text and l.role = 'published'
  )
group by f.info_date, f.issued_at, f.model, f.version
order by f.issued_at desc
limit 1
