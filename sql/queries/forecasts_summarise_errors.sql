-- Errors of the scored forecasts, beside those of the benchmark made from the same prices for the same days.
-- $1 chain   $2 asset   $3 first target   $4 last target (inclusive)   $5 horizon in days, null for the shortest of each day
-- $6 issued or replay   $7 number of latest days, null for all   index: forecasts_by_target
with records as (
  select target_date, p10, p50, p90, actual, benchmark, benchmark_p10, benchmark_p50, benchmark_p90
  from forecast_records($1::text, $2::text, $3::date, $4::date, $5::integer)
  where $6::text = 'issued' and actual is not null
  union all
  select target_date, p10, p50, p90, actual, benchmark, benchmark_p10, benchmark_p50, benchmark_p90
  from replay_records($1::text, $2::text, $3::date, $4::date, $5::integer)
  where $6::text = 'replay' and actual is not null
), scored as (
  select * from records order by target_date desc limit $7::integer
)
select
  count(*)::integer as n,
  avg(abs(p50 - actual)) as mae,
  avg(abs(p50 - actual) / abs(actual)) filter (where abs(actual) > 1) as mape,
  (count(*) filter (where abs(actual) <= 1))::integer as mape_left_out,
  avg(p50 - actual) as bias,
  avg((actual between p10 and p90)::integer)::double precision as coverage_80,
  avg(pinball_loss(actual, p10, 0.1) + pinball_loss(actual, p50, 0.5) + pinball_loss(actual, p90, 0.9)) / 3 as pinball,
  max(benchmark) as benchmark,
  avg(abs(benchmark_p50 - actual)) as benchmark_mae,
  avg((actual between benchmark_p10 and benchmark_p90)::integer)::double precision as benchmark_coverage_80,
  avg(pinball_loss(actual, benchmark_p10, 0.1) + pinball_loss(actual, benchmark_p50, 0.5)
      + pinball_loss(actual, benchmark_p90, 0.9)) / 3 as benchmark_pinball,
  avg(abs(p50 - actual)) filter (where benchmark is not null) / nullif(avg(abs(benchmark_p50 - actual)), 0) as rmae
from scored
