-- Errors of the scored forecasts and of the benchmark from the same prices for the same days; for hourly forecasts, of each hour.
-- $1 live or replay   $2 chain   $3 asset; of hours the zone   $4 first target   $5 last target (inclusive)
-- $6 horizon in days, null for the shortest of each day   $7 number of latest days, null for all
-- $8 of hours: issue, null for the last   index: (hourly_)forecasts_by_target
with days as (
  select target_date, p10, p50, p90, actual, benchmark, benchmark_p10, benchmark_p50, benchmark_p90
  from forecast_records($1, $2, $3, $4, $5, $6)
  -- hours: from hourly_forecast_records($1, $2, $3, $4, $5, $6, $8)
  where actual is not null order by target_date desc limit $7::integer
), scored as (
  select * from days
  -- hours: select d.target_date, d.benchmark, u.* from days d cross join lateral unnest(d.p10, d.p50, d.p90, d.actual, d.benchmark_p10, d.benchmark_p50, d.benchmark_p90) as u (p10, p50, p90, actual, benchmark_p10, benchmark_p50, benchmark_p90)
)
select
  count(distinct target_date)::integer as days,
  count(*)::integer as n,
  avg(abs(p50 - actual)) as mae,
  avg(abs(p50 - actual) / abs(actual)) filter (where abs(actual) > 1) as mape,
  (count(*) filter (where abs(actual) <= 1))::integer as "mapeLeftOut",
  avg(p50 - actual) as bias,
  avg((actual between p10 and p90)::integer)::double precision as "coverage80",
  avg(pinball_loss(actual, p10, 0.1) + pinball_loss(actual, p50, 0.5) + pinball_loss(actual, p90, 0.9)) / 3 as pinball,
  case when max(benchmark) is not null then json_build_object(
    'name', max(benchmark),
    'mae', avg(abs(benchmark_p50 - actual)),
    'coverage80', avg((actual between benchmark_p10 and benchmark_p90)::integer)::double precision,
    'pinball', avg(pinball_loss(actual, benchmark_p10, 0.1) + pinball_loss(actual, benchmark_p50, 0.5)
                   + pinball_loss(actual, benchmark_p90, 0.9)) / 3
  ) end as benchmark,
  avg(abs(p50 - actual)) filter (where benchmark is not null) / nullif(avg(abs(benchmark_p50 - actual)), 0) as rmae
from scored
