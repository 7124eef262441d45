-- Prices of a market as known at an instant, `infinity` for now, by interval length: 0 as published, 15, or 60 for means of whole hours.
-- $1 market   $2 zones   $3 first day   $4 last day (inclusive)   $5 instant   $6 length in minutes   index: fundamentals_pkey
with prices as (
  select a.area, p.*
  from unnest($2::text[]) as a (area), market_prices_as_of($1::text, a.area, $3::date, $4::date, $5::timestamptz) p
  where $6::integer in (0, 60) or resolution_minutes = $6::integer
)
select
  area, min(market_day) as day, min(starts_at) as "startsAt", sum(resolution_minutes)::integer as minutes,
  sum(price * resolution_minutes) / sum(resolution_minutes) as price, avg(base_price) as "basePrice", avg(incentive) as incentive,
  sum(volume) as volume, max(status) as status, max(known_at) as "knownAt", array_agg(distinct source) as sources
from prices
group by area, case when $6::integer = 60 then date_trunc('hour', starts_at) else starts_at end
having $6::integer <> 60 or sum(resolution_minutes) = 60
order by 3, 1
