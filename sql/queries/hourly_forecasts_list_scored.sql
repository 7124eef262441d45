-- Forecasts of hours by target day, one a day, with the hours that came and the medians of the benchmark.
-- $1 chain   $2 zone   $3 first target   $4 last target (inclusive)   $5 horizon in days, null for the shortest of each day
-- $6 issued or replay   $7 issue, null for the last   index: hourly_forecasts_by_target
select target_date as "targetDate", p10, p50, p90, actual, benchmark_p50 as benchmark
from hourly_forecast_records($1::text, $2::text, $3::date, $4::date, $5::integer, $7::text)
where $6::text = 'issued' and actual is not null
union all
select target_date, p10, p50, p90, actual, benchmark_p50
from replayed_hourly_records($1::text, $2::text, $3::date, $4::date, $5::integer, $7::text)
where $6::text = 'replay' and actual is not null
order by 1
