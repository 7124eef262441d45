-- Prices of the day-ahead market at the source's own resolution: hours, and quarter-hours since 1 October 2025.

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
  'One price per zone and interval. Written only by store_zone_days, which checks zone, source and document; foreign keys are left out because they would cost a third of the import rate.';
comment on column price_intervals.starts_at is 'UTC start of the interval.';
comment on column price_intervals.market_day is 'Calendar day in Europe/Rome.';
comment on column price_intervals.ordinal is 'Number of the interval in its market day, from 1, by elapsed time; never a clock hour.';
comment on column price_intervals.observed_at is 'When the source published the value where it says so, else when it was first seen.';
comment on column price_intervals.fetched_at is 'When the document that carries the value was read; what as_of queries go by.';

select create_hypertable('price_intervals', by_range('starts_at', interval '1 year'), create_default_indexes => false);

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
comment on table price_interval_revisions is 'Values of price_intervals that a later document replaced, as they were.';
comment on column price_interval_revisions.superseded_at is 'From this instant on the value was no longer current.';
comment on column price_interval_revisions.superseded_by is 'The document that replaced it.';
