-- Every version of each whole day of some fundamentals: its intervals as they were stated from an instant on. A day that was not
-- corrected has one.
-- $1 series   $2 areas   $3 first day   $4 last day (inclusive)   index: fundamentals_pkey, fundamental_revisions_pkey
with intervals as materialized (
  select series, area, market_day, starts_at, resolution_minutes, value, known_at, 'infinity'::timestamptz as superseded_at
  from fundamentals
  where series = any ($1::text[]) and area = any ($2::text[])
    and starts_at >= market_day_start($3::date) and starts_at < market_day_start($4::date + 1)
  union all
  select series, area, market_day, starts_at, resolution_minutes, value, known_at, superseded_at
  from fundamental_revisions
  where series = any ($1::text[]) and area = any ($2::text[])
    and starts_at >= market_day_start($3::date) and starts_at < market_day_start($4::date + 1)
), versions as (
  select distinct series, area, market_day, known_at from intervals
)
select
  v.series, v.area, v.market_day as day, ceil(date_part('epoch', v.known_at) * 1000) as "knownAtMs",
  array_agg(i.value order by i.starts_at) as values
from versions v
join intervals i
  on i.series = v.series and i.area = v.area and i.market_day = v.market_day and i.known_at <= v.known_at and i.superseded_at > v.known_at
group by v.series, v.area, v.market_day, v.known_at
having sum(i.resolution_minutes) = market_day_minutes(v.market_day)
order by v.series, v.area, v.market_day, v.known_at
