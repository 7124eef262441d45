-- The next rows of a forecast chain in its order, with the actual price if scored.
-- $1 chain   $2 after this position   $3 sources that may be passed on   $4 rows at most
select
  f.asset, f.model, floor(date_part('epoch', f.issued_at) * 1000 + 0.0005) as issued_at, f.target_date, f.horizon_days,
  f.p10, f.p50, f.p90, a.actual, a.source as actual_source, f.chain, f.sequence, f.role, f.version, f.info_date, f.inputs_sha256, f.previous_hash, f.hash
from (
  select * from forecasts where chain = $1 and sequence > $2 order by sequence limit $4
) as f
left join forecast_actuals a
  on a.chain = f.chain and a.asset = f.asset and a.target_date = f.target_date and a.source = any ($3::text[])
order by f.sequence
