-- The result of zone_days_find_latest as of an instant: searches backwards from the last interval known then to the first whole
-- day; one row, null if there is none.
-- $1 zone   $2 last day (inclusive)   $3 instant   index: (zone, starts_at) of price_intervals and its revisions
with known as (
  select greatest(
    (select i.market_day from price_intervals i
     where i.zone = $1::text and i.starts_at < market_day_start($2::date + 1) and i.fetched_at <= $3::timestamptz
     order by i.starts_at desc limit 1),
    (select r.market_day from price_interval_revisions r
     where r.zone = $1::text and r.starts_at < market_day_start($2::date + 1)
       and r.fetched_at <= $3::timestamptz and r.superseded_at > $3::timestamptz
     order by r.starts_at desc limit 1)
  ) as last_day
), first as (
  select i.market_day as first_day from price_intervals i where i.zone = $1::text order by i.starts_at limit 1
)
select (
  select d.market_day
  from (
    select known.last_day - n as day from known, first, generate_series(0, known.last_day - first.first_day) as n order by n
  ) backwards
  cross join lateral zone_days_as_of($1::text, backwards.day, backwards.day, $3::timestamptz) d
  limit 1
) as latest
