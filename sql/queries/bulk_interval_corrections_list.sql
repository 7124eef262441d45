-- Replaced intervals of a zone in order, with the current price if it may be redistributed.
-- $1 zone   $2 from   $3 to, not included   $4 sources that may be passed on
-- index: price_interval_revisions_pkey, price_intervals_pkey
select
  r.zone as series, r.market_day, date_part('epoch', r.starts_at) * 1000 as starts_at, r.resolution_minutes, r.price_eur_mwh as price,
  p.price_eur_mwh as price_now, '€/MWh' as unit, r.source, p.source as source_now,
  floor(date_part('epoch', r.fetched_at) * 1000 + 0.0005) as known_from,
  floor(date_part('epoch', r.superseded_at) * 1000 + 0.0005) as known_until
from price_interval_revisions r
left join price_intervals p
  on p.zone = r.zone and p.starts_at = r.starts_at and p.resolution_minutes = r.resolution_minutes and p.source = any ($4::text[])
where r.zone = $1 and r.starts_at >= $2::timestamptz and r.starts_at < $3::timestamptz and r.source = any ($4::text[])
order by r.starts_at, r.resolution_minutes, r.superseded_at
