-- Recent forecast accuracy of each asset: errors of the last $5 scored days at the shortest horizon, and when it was last forecast.
-- $1 chains   $2 assets   $3 first target   $4 last target (inclusive)   $5 days   index: forecasts_by_target
with records as (
  select c.chain, a.asset, r.target_date, r.issued_at, r.p10, r.p50, r.p90, r.actual, r.benchmark_p50,
    row_number() over (partition by c.chain, a.asset order by r.actual is null, r.target_date desc) as place
  from unnest($1::text[]) c (chain)
  cross join unnest($2::text[]) a (asset)
  cross join lateral forecast_records('live', c.chain, a.asset, $3::date, $4::date, null) r
), scored as (
  select * from records where actual is not null and place <= $5::integer
)
select
  chain, asset, issued.issued_at,
  count(s.actual)::integer as n,
  avg(abs(s.p50 - s.actual)) as mae,
  avg(s.p50 - s.actual) as bias,
  avg((s.actual between s.p10 and s.p90)::integer)::double precision as coverage_80,
  avg(pinball_loss(s.actual, s.p10, 0.1) + pinball_loss(s.actual, s.p50, 0.5) + pinball_loss(s.actual, s.p90, 0.9)) / 3 as pinball,
  avg(abs(s.p50 - s.actual)) filter (where s.benchmark_p50 is not null) / nullif(avg(abs(s.benchmark_p50 - s.actual)), 0) as rmae
from (select chain, asset, max(issued_at) as issued_at from records group by chain, asset) issued
left join scored s using (chain, asset)
group by chain, asset, issued.issued_at
order by chain, asset
