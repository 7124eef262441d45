-- Daily prices, in order of index and day; a single statement, so that all rows show the same state of the aggregates.
-- $1 sources that may be passed on   $2 first day   $3 last day (inclusive)   $4 asset codes, null for all   $5 instant, as of one
select a.code as asset, d.market_day as date, d.price, d.source_first, d.source_last, d.basis
from assets a
cross join lateral asset_daily_prices(a.code, $2::date, $3::date) d
-- as of: cross join lateral asset_daily_prices_as_of(a.code, $2::date, $3::date, $5::timestamptz) d
where ($4::text[] is null or a.code = any ($4::text[])) and d.source_first = any ($1::text[]) and d.source_last = any ($1::text[])
order by a.code collate "C", d.market_day
