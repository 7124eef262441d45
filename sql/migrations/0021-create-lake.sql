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
