-- Files: nightly bulk files, the tables of the lake, and exports to order.

create table bulk_files (
  name text primary key check (name ~ '^[a-z0-9][A-Za-z0-9.-]*$'),
  dataset text not null,
  format text not null,
  schema_version integer not null,
  row_count bigint not null check (row_count > 0),
  bytes bigint not null check (bytes > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  first_day date not null,
  last_day date not null check (last_day >= first_day),
  sources text[] not null,
  generated_at timestamptz not null,
  superseded_at timestamptz check (superseded_at >= generated_at)
);
comment on table bulk_files is 'Published files of the bulk exports. A file is complete and checked in the object store before its row is written.';
comment on column bulk_files.name is 'Name in the object store; never reused for other contents.';
comment on column bulk_files.sources is 'Publishers whose values it contains.';
comment on column bulk_files.generated_at is 'When its contents were last found to equal the database''s.';
comment on column bulk_files.superseded_at is 'When another file replaced it; null for the file on offer. It is kept until its signed addresses have expired.';
create unique index bulk_files_offered on bulk_files (dataset, format) where superseded_at is null;
create trigger bulk_files_sample before insert on bulk_files
  for each row when (are_synthetic(new.sources)) execute function refuse_sample_data();

create table bulk_exports (
  dataset text not null,
  format text not null,
  requested_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('published', 'unchanged', 'empty', 'failed')),
  detail text,
  primary key (dataset, format),
  check ((ended_at is null) = (outcome is null))
);
comment on table bulk_exports is 'The last export of each dataset and format, and its outcome.';
comment on column bulk_exports.outcome is 'Null while it is queued or running. unchanged: the same contents as before. empty: no rows that may be redistributed.';
comment on column bulk_exports.detail is 'Why it failed, in one sentence.';

-- The tables of the lake: each dataset as partitioned files, with a snapshot for every night in which something changed.

create table lake_snapshots (
  dataset text not null,
  sequence bigint not null check (sequence > 0),
  id bigint not null unique check (id > 0),
  schema_version integer not null,
  column_count integer not null,
  location text not null,
  taken_at timestamptz not null,
  primary key (dataset, sequence)
);
comment on table lake_snapshots is 'Snapshots of the lake''s tables. The latest is what is offered; earlier ones can be read until they are removed.';
comment on column lake_snapshots.sequence is 'Also the version of the metadata file; it may leave out numbers, and never comes again.';
comment on column lake_snapshots.id is 'The snapshot''s id in Iceberg; below 2^53, since many readers take it for a double.';
comment on column lake_snapshots.location is 'Address of the table''s folder: its metadata hold whole addresses, so a moved store gets a new snapshot.';
comment on column lake_snapshots.column_count is 'Columns the table had: new ones are added at the end.';

create table lake_files (
  name text primary key check (name ~ '^[a-z0-9][A-Za-z0-9.-]*$'),
  dataset text not null,
  part text not null,
  period text not null check (period ~ '^\d{4}(-\d{2})?$'),
  schema_version integer not null,
  row_count bigint not null check (row_count > 0),
  bytes bigint not null check (bytes > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  first_day date not null,
  last_day date not null check (last_day >= first_day),
  statistics jsonb not null,
  sources text[] not null,
  added_in bigint not null,
  added_by bigint not null,
  added_at timestamptz not null,
  removed_in bigint check (removed_in > added_in),
  removed_at timestamptz,
  check ((removed_in is null) = (removed_at is null))
);
comment on table lake_files is 'Parquet files of the lake. A file is complete and checked in the object store before its row is written.';
comment on column lake_files.name is 'Name in the folder of its table; never reused for other contents.';
comment on column lake_files.part is 'The zone, asset, commodity or series of its rows.';
comment on column lake_files.period is 'A year of market days, or the first of its two months.';
comment on column lake_files.statistics is 'Minimum, maximum and missing values of each column, in the order of the columns.';
comment on column lake_files.added_in is 'Sequence of the snapshot that brought it.';
comment on column lake_files.added_by is 'Id of that snapshot, which may have been removed.';
comment on column lake_files.removed_in is 'Sequence of the first snapshot without it. It is kept until no snapshot that has it can be read any more.';
create unique index lake_files_offered on lake_files (dataset, part, period) where removed_in is null;
create trigger lake_files_sample before insert on lake_files
  for each row when (are_synthetic(new.sources)) execute function refuse_sample_data();

-- Exports to order: files that holders of keys have had made.

create table export_orders (
  id text primary key check (id ~ '^exp_[0-9a-z]{16}$'),
  key_root text not null references api_keys on delete cascade,
  dataset text not null,
  format text not null,
  first_day date not null,
  last_day date not null check (last_day >= first_day),
  parts text[],
  columns text[],
  as_of timestamptz,
  state text not null default 'queued' check (state in ('queued', 'running', 'ready', 'failed', 'expired')),
  requested_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  attempts integer not null default 0,
  rows_written bigint not null default 0,
  percent integer not null default 0 check (percent between 0 and 100),
  problem text,
  name text unique check (name ~ '^[a-z0-9][A-Za-z0-9.-]*$'),
  bytes bigint check (bytes > 0),
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  sources text[] not null default '{}',
  expires_at timestamptz,
  check ((name is not null) = (state = 'ready')),
  check ((ended_at is null) = (state in ('queued', 'running'))),
  check (state not in ('ready', 'expired') or num_nulls(bytes, sha256, expires_at) = 0)
);
comment on table export_orders is 'Exports to order, and their files: a file is complete and checked in the object store before its name is written.';
comment on column export_orders.key_root is 'The first key of the owner''s chain of rotations, who alone sees it.';
comment on column export_orders.parts is 'Zones, assets, commodities or series; null: all.';
comment on column export_orders.columns is 'In the order of the file; null: all.';
comment on column export_orders.as_of is 'Values as they were known then; null: as they are.';
comment on column export_orders.state is 'queued: waits, for the first time or after a failed attempt. expired: its file has been removed.';
comment on column export_orders.attempts is 'Begun so far. Only the latest may write: one whose process was thought dead is not the latest.';
comment on column export_orders.problem is 'Why it failed, a sentence for its owner.';
comment on column export_orders.name is 'Of the file in the object store; never reused.';
comment on column export_orders.sources is 'Publishers whose values the file contains.';
comment on column export_orders.expires_at is 'When its file is removed.';
create index export_orders_key_root on export_orders (key_root, requested_at);
create trigger export_orders_sample before update on export_orders
  for each row when (are_synthetic(new.sources)) execute function refuse_sample_data();
