-- The latest whole, published days on which an alert created before them would have fired.   $1 asset   $2 condition
-- $3 threshold   $4 granularity   $5 first day   $6 last day   $7 most days   index: (zone, starts_at), (asset, market_day)
with days as (
  select market_day, price_eur_mwh as price, lag(price_eur_mwh) over (order by market_day) as previous,
         alert_value($4::text, $2::text, price_eur_mwh, lowest_hour, highest_hour) as value
  from alert_prices($1::text, $5::date, $6::date)
)
select market_day as day, value
from days
where alert_is_met($2::text, $3::float8, value, previous)
  and ($4::text = 'hour' or $2::text = 'change_pct' or previous is null or not alert_is_met($2::text, $3::float8, previous, null))
order by market_day desc
limit $7::int
