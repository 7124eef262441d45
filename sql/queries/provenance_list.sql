-- The documents behind a day's values: those of current values, and those of former values with the instant at which a later document
-- replaced them. The PUN of a day has intervals, or a mean stated by a source.
-- $1 asset code, null for a market zone   $2 zone, null for another asset   $3 market day   index: (zone, starts_at), (asset, market_day)
with values_of_day as (
  select document_id, fetched_at, observed_at, null::timestamptz as replaced_at
  from price_intervals
  where zone = $2::text and starts_at >= market_day_start($3::date) and starts_at < market_day_start($3::date + 1)
  union all
  select document_id, fetched_at, observed_at, superseded_at
  from price_interval_revisions
  where zone = $2::text and starts_at >= market_day_start($3::date) and starts_at < market_day_start($3::date + 1)
  union all
  select document_id, fetched_at, observed_at, null from daily_prices where asset = $1::text and market_day = $3::date
  union all
  select document_id, fetched_at, observed_at, superseded_at
  from daily_price_revisions where asset = $1::text and market_day = $3::date
), versions as (
  select *, dense_rank() over (order by coalesce(replaced_at, 'infinity')) as version from values_of_day
)
select
  v.version::integer as version, v.replaced_at, count(*)::integer as "values", min(v.observed_at) as published_at, max(v.fetched_at) as fetched_at,
  d.source, d.address, d.sha256, d.bytes::double precision as bytes
from versions v
join documents d on d.id = v.document_id
group by v.version, v.replaced_at, d.id
order by v.version desc, max(v.fetched_at) desc, d.id
