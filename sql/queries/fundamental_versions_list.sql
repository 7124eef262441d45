-- Every version of each whole day of some fundamentals: its intervals as stated from an instant on. Nearly every day has a single
-- version, read in one pass; the others are assembled for each instant at which one of their values became known.
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
), days as materialized (
  select
    series, area, market_day, max(known_at) as known_at, sum(resolution_minutes) as minutes,
    min(known_at) = max(known_at) and min(superseded_at) = 'infinity' as has_one, array_agg(value order by starts_at) as values
  from intervals
  group by series, area, market_day
), instants as (
  select distinct i.series, i.area, i.market_day, i.known_at
  from intervals i
  join days d on d.series = i.series and d.area = i.area and d.market_day = i.market_day
  where not d.has_one
)
select series, area, market_day as day, ceil(date_part('epoch', known_at) * 1000) as "knownAtMs", values
from days
where has_one and minutes = market_day_minutes(market_day)
union all
select v.series, v.area, v.market_day, ceil(date_part('epoch', v.known_at) * 1000), array_agg(i.value order by i.starts_at)
from instants v
join intervals i
  on i.series = v.series and i.area = v.area and i.market_day = v.market_day and i.known_at <= v.known_at and i.superseded_at > v.known_at
group by v.series, v.area, v.market_day, v.known_at
having sum(i.resolution_minutes) = market_day_minutes(v.market_day)
order by 1, 2, 3, 4
