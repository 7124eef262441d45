-- Fundamentals: load, generation, forecasts of them, prices of neighbours, weather. Each value with the instant from which it was known.

create table fundamentals (
  series text not null,
  area text not null,
  starts_at timestamptz not null,
  resolution_minutes smallint not null check (resolution_minutes in (15, 30, 60)),
  market_day date not null,
  value double precision not null check (value > '-infinity' and value < 'infinity'),
  unit text not null,
  source text not null,
  known_at timestamptz not null,
  fetched_at timestamptz not null,
  document_id bigint not null,
  primary key (series, area, starts_at)
);
comment on table fundamentals is
  'One value per series, area and interval. Written only by store_fundamental_days, which checks source and document.';
comment on column fundamentals.series is 'load-forecast, generation-solar and so on (src/market/fundamentals.ts).';
comment on column fundamentals.area is 'IT, a market zone, a neighbouring bidding zone or a place of weather.';
comment on column fundamentals.starts_at is 'UTC start of the interval.';
comment on column fundamentals.market_day is 'Calendar day in Europe/Rome.';
comment on column fundamentals.unit is 'Unit of the value: MW, €/MWh, m/s, W/m², °C.';
comment on column fundamentals.known_at is
  'From when on the value was known: when it was read, or of history loaded later its usual publication; as_of queries use this instant.';
comment on column fundamentals.fetched_at is 'When the document with this value was read.';

select create_hypertable('fundamentals', by_range('starts_at', interval '1 year'), create_default_indexes => false);

alter table fundamentals set (
  timescaledb.compress,
  timescaledb.compress_segmentby = 'series, area',
  timescaledb.compress_orderby = 'starts_at'
);

create trigger fundamentals_version after insert or update or delete on fundamentals
  for each statement execute function raise_table_version();

create table fundamental_revisions (
  series text not null,
  area text not null,
  starts_at timestamptz not null,
  resolution_minutes smallint not null,
  market_day date not null,
  value double precision not null,
  unit text not null,
  source text not null,
  known_at timestamptz not null,
  fetched_at timestamptz not null,
  document_id bigint not null,
  superseded_at timestamptz not null,
  superseded_by bigint not null references documents on delete restrict,
  primary key (series, area, starts_at, superseded_at, resolution_minutes)
);
comment on table fundamental_revisions is 'Former values of fundamentals that a later document replaced: corrections, and earlier weather runs.';
comment on column fundamental_revisions.superseded_at is 'The value was current until this instant.';
comment on column fundamental_revisions.superseded_by is 'The document that replaced it.';

create materialized view fundamentals_hourly
with (timescaledb.continuous, timescaledb.materialized_only = true) as
select
  series,
  area,
  time_bucket(interval '1 hour', starts_at) as starts_at,
  min(market_day) as market_day,
  sum(value * resolution_minutes) / sum(resolution_minutes) as value,
  min(unit) as unit,
  sum(resolution_minutes)::integer as minutes,
  max(known_at) as known_at,
  min(source) as source_first,
  max(source) as source_last
from fundamentals
group by series, area, time_bucket(interval '1 hour', starts_at)
with no data;
comment on view fundamentals_hourly is 'Mean of each series and area by hour; minutes tells whether the hour is whole.';

create materialized view fundamentals_daily
with (timescaledb.continuous, timescaledb.materialized_only = true) as
select
  series,
  area,
  time_bucket(interval '1 day', starts_at, 'Europe/Rome') as starts_at,
  min(market_day) as market_day,
  sum(value * minutes) / sum(minutes) as value,
  min(value) as hour_min,
  max(value) as hour_max,
  min(unit) as unit,
  sum(minutes)::integer as minutes,
  (extract(epoch from (min(market_day) + 1)::timestamp at time zone 'Europe/Rome'
                    - min(market_day)::timestamp at time zone 'Europe/Rome') / 60)::integer as expected_minutes,
  max(known_at) as known_at,
  min(source_first) as source_first,
  max(source_last) as source_last
from fundamentals_hourly
group by series, area, time_bucket(interval '1 day', starts_at, 'Europe/Rome')
with no data;
comment on view fundamentals_daily is 'Mean of each series and area by market day, over the hours that are there.';
