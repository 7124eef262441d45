-- Daily price of each of the zones on a market day and its difference from that day's PUN, in the requested order; complete days
-- only. No row if the PUN of the day is incomplete.   $1 market day   $2 zones   $3 instant, as of one
-- index: zone_prices_daily (zone, starts_at)
select
  z.code,
  z.name,
  d.price_eur_mwh as price,
  d.price_eur_mwh - n.price as spread_vs_pun,
  n.price as national,
  array_remove(array[n.source_first, n.source_last, d.source_first, d.source_last], null) as sources
from asset_daily_prices('PUN', $1::date, $1::date) n
-- as of: from asset_daily_prices_as_of('PUN', $1::date, $1::date, $3::timestamptz) n
left join zones z on z.code = any ($2::text[])
left join zone_prices_daily d on d.zone = z.code and d.starts_at = market_day_start($1::date) and d.minutes = d.expected_minutes
-- as of: left join lateral zone_days_as_of(z.code, $1::date, $1::date, $3::timestamptz) d on true
order by array_position($2::text[], z.code)
