-- Coverage of each fundamental: first and last market day, its sources, and the length of its last interval.
-- No parameters.   index: fundamentals_daily (series, area, starts_at); fundamentals_pkey
select
  series,
  area,
  min(market_day) as "firstDay",
  max(market_day) as "lastDay",
  array_agg(distinct source_first) || array_agg(distinct source_last) as sources,
  (
    select f.resolution_minutes
    from fundamentals f
    where f.series = d.series and f.area = d.area
    order by f.starts_at desc
    limit 1
  ) as "resolutionMinutes"
from fundamentals_daily d
group by series, area
order by series, area
