-- Number of days with a publisher's price of an asset; 0 if its latest price is synthetic, since forecasts then use synthetic prices.
-- $1 asset code   $2 first day   $3 last day (inclusive)   index: zone_prices_daily (zone, starts_at), daily_prices (asset, market_day)
with days as (
  select p.market_day, p.source_first in (select id from sources where synthetic)
                       or p.source_last in (select id from sources where synthetic) as synthetic
  from asset_daily_prices($1::text, $2::date, $3::date) p
)
select case
         when (select synthetic from days order by market_day desc limit 1) then 0
         else (select count(*) from days where not synthetic)
       end::integer as days
