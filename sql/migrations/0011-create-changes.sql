-- The record of what happened: each change of what the service answers, written in the transaction that made it.

create table change_log (
  singleton boolean primary key default true check (singleton),
  log_id text not null default substr(replace(gen_random_uuid()::text, '-', ''), 1, 8),
  position bigint not null default 0,
  refreshed bigint not null default 0,
  removed bigint not null default 0,
  check (removed <= position and refreshed <= position)
);
comment on table change_log is 'The head of changes. Whoever records a change holds this row until its commit, so positions appear in the order of commits, without holes.';
comment on column change_log.log_id is 'Identifies this record: cursors of another one are refused.';
comment on column change_log.position is 'The last position given.';
comment on column change_log.refreshed is 'The aggregates hold the prices of every change up to this position.';
comment on column change_log.removed is 'Changes up to this position have been removed as too old.';
insert into change_log default values;

create table changes (
  position bigint primary key,
  occurred_at timestamptz not null,
  kind text not null check (
    kind in (
      'day.published', 'day.corrected', 'hours.negative', 'forecast.issued', 'offers.updated', 'export.ready', 'source.late',
      'source.recovered', 'dataset.reset', 'key.rotated', 'key.revoked', 'quota.reached'
    )
  ),
  dataset text check (
    dataset in (
      'pun', 'zones', 'psv', 'ttf', 'brent', 'co2', 'forecasts', 'forecasts-hourly', 'fundamentals', 'offers', 'exports', 'sources', 'keys'
    )
  ),
  asset text,
  zones text[],
  market_day date,
  version integer,
  synthetic boolean not null,
  details jsonb not null,
  key_root text references api_keys on delete cascade,
  check ((dataset is null) = (kind = 'dataset.reset')),
  check (case dataset when 'keys' then key_root is not null when 'exports' then true else key_root is null end)
);
comment on table changes is 'What happened, in the order of commits. Written only by record_changes; kept for 90 days.';
comment on column changes.position is 'From 1; the only holes are the removed changes of sample data.';
comment on column changes.occurred_at is 'By the process''s clock, as the values it stored have it in fetched_at.';
comment on column changes.kind is
  'day.published: a day''s first values, or values where there were none. day.corrected: later values replaced some. hours.negative: intervals of the day are below zero. dataset.reset: all sample data were removed.';
comment on column changes.dataset is 'pun: the national price; zones: the market zones. Null: all of them.';
comment on column changes.asset is 'Of a forecast.';
comment on column changes.zones is 'Market zones that a change of zones concerns.';
comment on column changes.market_day is 'The day whose values changed; null where no single day is concerned.';
comment on column changes.version is 'Of the day''s values: 1 when first published, one more with each correction.';
comment on column changes.synthetic is 'Sample data.';
comment on column changes.key_root is 'Of a change of keys and of an export to order: the first key of the chain, whose holder alone sees it. Null: everybody sees it.';
comment on column changes.details is 'What else there is to say: intervals written of each zone, the dataset and format of a file, the source that is late.';

-- What is not yet readable: prices that the aggregates do not hold.
create index changes_of_prices on changes (position) where dataset in ('pun', 'zones');
create index changes_of_keys on changes (key_root) where key_root is not null;

create table change_queue (
  singleton boolean primary key default true check (singleton),
  position bigint not null
);
comment on table change_queue is 'Deliveries to webhooks have been written of every change up to this position. Apart from change_log, so that nobody who records a change waits.';
insert into change_queue (position) values (0);
