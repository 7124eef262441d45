-- What there is of each fundamental: first and last market day, and its sources.
-- No parameters.   index: fundamentals_daily (series, area, starts_at)
select
  series,
  area,
  min(market_day) as first_day,
  max(market_day) as last_day,
  array_agg(distinct source_first) || array_agg(distinct source_last) as sources
from fundamentals_daily
group by series, area
order by series, area
