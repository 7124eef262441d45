-- Forecasts by target day, one a day, with the price that came and the median of the benchmark.
-- $1 chain   $2 asset   $3 first target   $4 last target (inclusive)   $5 horizon in days, null for the shortest of each day
-- $6 issued or replay   index: forecasts_by_target
select target_date as "targetDate", p10, p50, p90, actual, benchmark_p50 as benchmark
from forecast_records($1::text, $2::text, $3::date, $4::date, $5::integer)
where $6::text = 'issued' and actual is not null
union all
select target_date, p10, p50, p90, actual, benchmark_p50
from replay_records($1::text, $2::text, $3::date, $4::date, $5::integer)
where $6::text = 'replay' and actual is not null
order by 1
