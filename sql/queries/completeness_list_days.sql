-- Completeness of each market day: minutes with a stored price for the zones, and which daily prices are stored.
-- Zones count from the first to the last day of their validity; days of 23 or 25 hours have correspondingly many minutes.
-- $1 first day   $2 last day (inclusive)   index: zone_prices_daily (zone, starts_at), daily_prices (asset, market_day)
with days as (
  select $1::date + n as market_day from generate_series(0, $2::date - $1::date) as n
), zone_days as (
  select d.market_day, count(*)::integer as zones, coalesce(sum(p.minutes), 0)::integer as minutes,
    count(*) filter (where p.minutes = market_day_minutes(d.market_day))::integer as zones_whole,
    coalesce(max(p.minutes) filter (where z.code = 'nazionale'), 0) as pun_minutes
  from days d
  join zones z on d.market_day >= z.valid_from and (z.valid_to is null or d.market_day <= z.valid_to)
  left join zone_prices_daily p on p.zone = z.code and p.starts_at = market_day_start(d.market_day)
  group by d.market_day
)
select
  d.market_day as day,
  market_day_minutes(d.market_day) as "expectedMinutes",
  z.zones,
  z.zones_whole as "zonesWhole",
  z.minutes as "zoneMinutes",
  z.pun_minutes as "punMinutes",
  array(
    select a.code
    from assets a join daily_prices p on p.asset = a.code and p.market_day = d.market_day
    order by a.code
  ) as assets
from days d
join zone_days z using (market_day)
order by d.market_day desc
