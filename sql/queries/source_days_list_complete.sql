-- Market days of a span that are whole for a source, from the source itself or a better one.
-- $1 source id   $2 first day   $3 last day (inclusive)   $4 zones   $5 assets   index: (zone, starts_at), (asset, market_day)
select $2::date + n as market_day
from generate_series(0, $3::date - $2::date) as n
cross join (select priority from sources where id = $1::text) own
where source_day_is_whole(own.priority, $4::text[], $5::text[], $2::date + n)
order by n
