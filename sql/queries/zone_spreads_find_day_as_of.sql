-- zone_spreads_find_day as it would have answered at an instant.
-- $1 market day   $2 zones   $3 instant   index: (zone, starts_at) of price_intervals and its revisions
select
  z.code,
  z.name,
  d.price_eur_mwh as price,
  d.price_eur_mwh - n.price as spread_vs_pun,
  n.price as national,
  array_remove(array[n.source_first, n.source_last, d.source_first, d.source_last], null) as sources
from asset_daily_prices_as_of('PUN', $1::date, $1::date, $3::timestamptz) n
left join zones z on z.code = any ($2::text[])
left join lateral zone_days_as_of(z.code, $1::date, $1::date, $3::timestamptz) d on true
order by array_position($2::text[], z.code)
