-- The last full month before a day of the index of a commodity, with the sources of its values; no row if there is none.
-- $1 luce or gas   $2 day   index: those of asset_daily_prices
select r.asset, r.month as first_day, m.last_day, r.month_average_eur_kwh as eur_kwh,
       asset_price_sources(r.asset, r.month, m.last_day) as sources
from offer_references($2::date, $2::date) as r
cross join lateral (select (r.month + interval '1 month' - interval '1 day')::date as last_day) as m
where r.commodity = $1::text and r.month is not null
