-- The hours of the next days of the hourly ledger, in its order, one row per hour with the actual price.
-- $1 chain   $2 after this position   $3 sources that may be passed on   $4 days at most
select
  f.zone, f.target_date, u.hour::integer as hour,
  floor(date_part('epoch', market_day_start(f.target_date) + (u.hour - 1) * interval '1 hour') * 1000 + 0.0005) as starts_at,
  u.p10, u.p50, u.p90, u.actual, a.source as actual_source, f.issue, f.model, f.version, f.inputs,
  floor(date_part('epoch', f.issued_at) * 1000 + 0.0005) as issued_at, f.info_date, f.horizon_days, f.chain, f.sequence, f.role,
  f.inputs_sha256, f.previous_hash, f.hash
from (
  select * from hourly_forecasts where chain = $1 and sequence > $2 order by sequence limit $4
) as f
left join hourly_forecast_actuals a
  on a.chain = f.chain and a.zone = f.zone and a.target_date = f.target_date and a.source = any ($3::text[])
cross join lateral unnest(f.p10, f.p50, f.p90, coalesce(a.actual, array_fill(null::double precision, array[cardinality(f.p50)])))
  with ordinality as u (p10, p50, p90, actual, hour)
order by f.sequence, u.hour
