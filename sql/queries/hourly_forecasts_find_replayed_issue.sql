-- What the replays behind the track record last forecast of a zone from the prices up to a market day, a row per day.
-- $1 chain   $2 zone   $3 info date
select f.info_date as "infoDate", r.made_at as "issuedAt", f.issue, f.target_date as "targetDate", f.model, f.version, f.inputs, f.p10, f.p50, f.p90
from replayed_hourly_forecasts f
join forecast_replays r on r.id = f.replay_id
where r.asset = 'hours:' || $2::text and r.synthetic = ($1::text = 'sample') and r.purpose = 'accuracy'
  and f.role = 'published' and f.info_date = $3::date
order by f.target_date
