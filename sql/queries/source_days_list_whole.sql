-- The days that are complete for a source, from the source itself or a better one.
-- $1 source id   $2 zones   $3 assets   $4 lists of offers   $5 fundamentals   $6 days
-- index: (zone, starts_at), (asset, market_day), offer_days (source, dataset, day)
select market_day
from source_whole_days($1::text, $2::text[], $3::text[], $4::text[], $5::text[], $6::date[])
order by market_day
