-- Daily prices of every index, in order of index and day: one statement, so one state of the aggregates.
-- $1 sources that may be passed on
select a.code as asset, d.market_day, d.price, d.source_first, d.source_last, d.basis
from assets a
cross join lateral asset_daily_prices(a.code, date '1980-01-01', date '2100-12-31') d
where d.source_first = any ($1::text[]) and d.source_last = any ($1::text[])
order by a.code collate "C", d.market_day
