-- Market days of a span that are complete for a source, from the source itself or a better one.
-- $1 source id   $2 first day   $3 last day (inclusive)   $4 zones   $5 assets   $6 lists of offers   $7 fundamentals
-- index: (zone, starts_at), (asset, market_day), offer_days (source, dataset, day)
select market_day
from source_whole_days(
  $1::text, $4::text[], $5::text[], $6::text[], $7::text[],
  array(select $2::date + n from generate_series(0, $3::date - $2::date) as n)
)
order by market_day
