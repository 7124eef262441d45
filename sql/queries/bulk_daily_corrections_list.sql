-- Replaced daily prices of every index in order, with the current price if it may be redistributed.
-- $1 sources that may be passed on   $2 first day   $3 last day (inclusive)   $4 asset codes, null for all
-- index: daily_price_revisions_pkey, daily_prices_pkey
select
  r.asset as series, r.market_day, null as starts_at, null as resolution_minutes, r.price, p.price as price_now, a.unit_native as unit,
  r.source, p.source as source_now,
  floor(date_part('epoch', r.fetched_at) * 1000 + 0.0005) as known_from,
  floor(date_part('epoch', r.superseded_at) * 1000 + 0.0005) as known_until
from daily_price_revisions r
join assets a on a.code = r.asset
left join daily_prices p on p.asset = r.asset and p.market_day = r.market_day and p.source = any ($1::text[])
where r.source = any ($1::text[]) and r.market_day between $2::date and $3::date and ($4::text[] is null or r.asset = any ($4::text[]))
order by r.asset collate "C", r.market_day, r.superseded_at
