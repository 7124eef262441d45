-- The curve that the replay behind the track record computed from the prices up to a market day, one row per day.
-- $1 chain   $2 asset   $3 info date
select f.info_date as "infoDate", r.made_at as "issuedAt", f.target_date as "targetDate", f.horizon_days as "horizonDays", f.model, f.version,
  f.p10, f.p50, f.p90
from replayed_forecasts f
join forecast_replays r on r.id = f.replay_id
where f.replay_id = accuracy_replay($1::text, $2::text) and f.role = 'published' and f.info_date = $3::date
order by f.target_date
