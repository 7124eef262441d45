-- Market days of a span that are whole for a source: each of its zones has every interval, in quarter-hours where the market has them,
-- and each of its assets has its price, from the source itself or a better one. $1 source id $2 first day $3 last day $4 zones $5 assets
-- index: price_intervals (zone, starts_at), daily_prices (asset, market_day)
with days as (
  select d::date as day from generate_series($2::date, $3::date, interval '1 day') as d
), good_sources as (
  select id from sources where priority <= (select priority from sources where id = $1)
), zone_days as (
  select p.zone, p.market_day, sum(p.resolution_minutes) as minutes, max(p.resolution_minutes) as coarsest
  from price_intervals p
  where p.zone = any ($4::text[]) and p.starts_at >= market_day_start($2::date) and p.starts_at < market_day_start($3::date + 1)
    and p.source in (select id from good_sources)
  group by p.zone, p.market_day
)
select d.day as market_day
from days d
where not exists (
    select from zones z
    left join zone_days have on have.zone = z.code and have.market_day = d.day
    where z.code = any ($4::text[]) and d.day >= z.valid_from and (z.valid_to is null or d.day <= z.valid_to)
      and (have.minutes is distinct from market_day_minutes(d.day)
        or have.coarsest > case when d.day >= date '2025-10-01' then 15 else 60 end)
  )
  and not exists (
    select from unnest($5::text[]) as wanted (asset)
    where not exists (
      select from daily_prices p
      where p.asset = wanted.asset and p.market_day = d.day and p.source in (select id from good_sources)
    )
  )
order by d.day
