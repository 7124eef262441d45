-- The curve that the replay behind the track record made from the prices up to a market day, as one row with arrays in order of day.
-- $1 chain   $2 asset   $3 info date
select
  f.info_date, r.made_at as issued_at, f.model, f.version,
  array_agg(f.target_date order by f.target_date) as target_dates,
  array_agg(f.horizon_days order by f.target_date) as horizons,
  array_agg(f.p10 order by f.target_date) as p10,
  array_agg(f.p50 order by f.target_date) as p50,
  array_agg(f.p90 order by f.target_date) as p90
from replayed_forecasts f
join forecast_replays r on r.id = f.replay_id
where f.replay_id = accuracy_replay($1::text, $2::text) and f.role = 'published' and f.info_date = $3::date
group by f.info_date, r.made_at, f.model, f.version
