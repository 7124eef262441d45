-- Corrections, for analysts: every value that a later document replaced, with the current value.

create or replace view analytics.corrections as
select
  'zone' as kind, r.zone as series, r.market_day, r.starts_at, r.resolution_minutes, r.price_eur_mwh as price, p.price_eur_mwh as price_now,
  '€/MWh' as unit, r.source, r.fetched_at as known_from, r.superseded_at as known_until,
  r.starts_at + make_interval(mins => r.resolution_minutes) as ends_at
from price_interval_revisions r
left join price_intervals p
  on p.zone = r.zone and p.starts_at = r.starts_at and p.resolution_minutes = r.resolution_minutes
union all
select
  'asset', r.asset, r.market_day, null, null, r.price, p.price, a.unit_native, r.source, r.fetched_at, r.superseded_at, null
from daily_price_revisions r
join assets a on a.code = r.asset
left join daily_prices p on p.asset = r.asset and p.market_day = r.market_day;
comment on view analytics.corrections is 'Values that were replaced by a later publication or by a better source, as they were known before.';
comment on column analytics.corrections.kind is 'zone for intervals of the day-ahead market, asset for daily prices.';
comment on column analytics.corrections.series is 'Code of the zone or of the asset.';
comment on column analytics.corrections.market_day is 'The day the value is for.';
comment on column analytics.corrections.starts_at is 'Instant at which the interval begins; null for daily prices.';
comment on column analytics.corrections.resolution_minutes is 'Length of the interval; null for daily prices.';
comment on column analytics.corrections.price is 'The value that was replaced.';
comment on column analytics.corrections.price_now is 'The current value; null if the interval now has another length.';
comment on column analytics.corrections.unit is 'Unit of both.';
comment on column analytics.corrections.source is 'Who published the value that was replaced.';
comment on column analytics.corrections.known_from is 'From this instant on the service knew it.';
comment on column analytics.corrections.known_until is 'From this instant on it was replaced.';
comment on column analytics.corrections.ends_at is 'Instant at which the next interval begins; null for daily prices.';
