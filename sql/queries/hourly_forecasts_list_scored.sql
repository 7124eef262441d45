-- Forecasts of the hours of each day at its shortest horizon, with the hours that came and the medians of the benchmark.
-- $1 chain   $2 zone   $3 first target   $4 last target (inclusive)   $5 issued or replay   index: hourly_forecasts_by_target
select target_date as "targetDate", p10, p50, p90, actual, benchmark_p50 as benchmark
from hourly_forecast_records($1::text, $2::text, $3::date, $4::date, null, null)
where $5::text = 'issued' and actual is not null
union all
select f.target_date, f.p10, f.p50, f.p90, f.actual, b.p50
from replayed_hourly_forecasts f
join forecast_replays r on r.id = f.replay_id
left join replayed_hourly_forecasts b
  on b.replay_id = f.replay_id and b.role = 'benchmark' and b.info_date = f.info_date and b.target_date = f.target_date
where $5::text = 'replay' and r.asset = 'hours:' || $2::text and r.synthetic = ($1::text = 'sample') and r.purpose = 'accuracy'
  and f.role = 'published' and f.target_date between $3::date and $4::date and f.actual is not null
order by 1
