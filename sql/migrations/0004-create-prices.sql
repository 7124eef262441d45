-- Prices and their revisions, and whether sample data may be stored.

-- Prices of the day-ahead market at the publisher's own resolution: hours, and quarter-hours since 1 October 2025.

create table price_intervals (
  zone text not null,
  starts_at timestamptz not null,
  resolution_minutes smallint not null check (resolution_minutes in (15, 30, 60)),
  market_day date not null,
  ordinal smallint not null check (ordinal between 1 and 100),
  price_eur_mwh double precision not null check (price_eur_mwh > '-infinity' and price_eur_mwh < 'infinity'),
  source text not null,
  observed_at timestamptz not null,
  fetched_at timestamptz not null,
  document_id bigint not null,
  primary key (zone, starts_at)
);
comment on table price_intervals is
  'One price per zone and interval. Written only by store_zone_days, which checks zone, source and document: foreign keys would cost a third of the import rate.';
comment on column price_intervals.starts_at is 'UTC start of the interval.';
comment on column price_intervals.market_day is 'Calendar day in Europe/Rome.';
comment on column price_intervals.ordinal is 'Number of the interval in its market day, from 1, by elapsed time, not by clock hour.';
comment on column price_intervals.observed_at is 'When the source published the value if it says so, otherwise when it was first seen.';
comment on column price_intervals.fetched_at is 'When the document with this value was read; as_of queries use this instant.';

select create_hypertable('price_intervals', by_range('starts_at', interval '1 year'), create_default_indexes => false);

-- The intervals of a day are found by time alone when the aggregates are refreshed. A block range index says which blocks of a chunk may
-- hold them: it takes a few pages and costs an import nothing, and prices are stored in the order of days. Without it a refresh reads the
-- whole latest chunk, a year of every zone.
create index price_intervals_starts_at_brin on price_intervals using brin (starts_at);

-- Compressed chunks take a twelfth of the space, and months are read ten times as fast. The nightly maintenance compresses old chunks
-- (compressOldChunks); a policy cannot, because the embedded engine has no background worker. Corrections can still be written to
-- compressed chunks, which are compressed again the next night.
alter table price_intervals set (
  timescaledb.compress,
  timescaledb.compress_segmentby = 'zone',
  timescaledb.compress_orderby = 'starts_at'
);

create trigger price_intervals_version after insert or update or delete on price_intervals
  for each statement execute function raise_table_version();

create table price_interval_revisions (
  zone text not null,
  starts_at timestamptz not null,
  resolution_minutes smallint not null,
  market_day date not null,
  ordinal smallint not null,
  price_eur_mwh double precision not null,
  source text not null,
  observed_at timestamptz not null,
  fetched_at timestamptz not null,
  document_id bigint not null,
  superseded_at timestamptz not null,
  superseded_by bigint not null references documents on delete restrict,
  primary key (zone, starts_at, superseded_at, resolution_minutes)
);
comment on table price_interval_revisions is 'Former values of price_intervals that a later document replaced.';
comment on column price_interval_revisions.superseded_at is 'The value was current until this instant.';
comment on column price_interval_revisions.superseded_by is 'The document that replaced it.';

-- Prices that are published once a day: PSV, TTF, Brent, CO2, and the PUN of days whose hours are not available.
create table daily_prices (
  asset text not null,
  market_day date not null,
  price double precision not null check (price > '-infinity' and price < 'infinity'),
  source text not null,
  observed_at timestamptz not null,
  fetched_at timestamptz not null,
  document_id bigint not null,
  primary key (asset, market_day)
);
comment on table daily_prices is 'One price per asset and day (gas day, trading day, auction day). Written only by store_daily_prices.';
comment on column daily_prices.price is 'In the asset''s native unit (assets.unit_native).';

select create_hypertable('daily_prices', by_range('market_day', interval '10 years'), create_default_indexes => false);

create table daily_price_revisions (
  asset text not null,
  market_day date not null,
  price double precision not null,
  source text not null,
  observed_at timestamptz not null,
  fetched_at timestamptz not null,
  document_id bigint not null,
  superseded_at timestamptz not null,
  superseded_by bigint not null references documents on delete restrict,
  primary key (asset, market_day, superseded_at)
);
comment on table daily_price_revisions is 'Former values of daily_prices that a later document replaced.';

-- The rule is in sql/objects/sample_data.sql.
create table sample_data (
  singleton boolean primary key default true check (singleton),
  ended_at timestamptz,
  removed_prices bigint,
  check ((ended_at is null) = (removed_prices is null))
);
comment on table sample_data is 'Whether synthetic values may be stored: not once a publisher''s value has been stored.';
comment on column sample_data.ended_at is 'When a publisher''s first price or offer was stored; null before that.';
comment on column sample_data.removed_prices is 'How many synthetic prices were removed at that instant.';
insert into sample_data default values;

-- Refuses results computed from sample values that have been removed meanwhile: the job fails and starts again.
create function refuse_sample_data() returns trigger language plpgsql as $$
begin
  perform hold_sample_data();
  return new;
end $$;
comment on function refuse_sample_data() is 'Trigger of tables whose rows may be computed from synthetic values.';
