-- Forecasts by target day, one per day, with the actual price and the median of the benchmark.
-- $1 live or replay   $2 chain   $3 asset; of hours the zone   $4 first target   $5 last target (inclusive)
-- $6 horizon in days, null for the shortest of each day   $7 of hours: issue, null for the last   index: (hourly_)forecasts_by_target
select target_date as "targetDate", p10, p50, p90, actual, benchmark_p50 as benchmark
from forecast_records($1, $2, $3, $4, $5, $6)
-- hours: from hourly_forecast_records($1, $2, $3, $4, $5, $6, $7)
where actual is not null
order by target_date
