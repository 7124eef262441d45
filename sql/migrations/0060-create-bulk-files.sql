-- Files of the bulk exports: those that can be downloaded, and what was asked of the exporter.

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
comment on table bulk_files is 'Published files of the bulk exports. A file is in the store, whole and checked, before its row is here.';
comment on column bulk_files.name is 'Name in the store; never used for another content.';
comment on column bulk_files.sources is 'Publishers whose values it holds.';
comment on column bulk_files.generated_at is 'When its content was last found to be what the database held.';
comment on column bulk_files.superseded_at is 'When another file took its place; null of the one that is offered. It stays until signed addresses of it have expired.';
create unique index bulk_files_offered on bulk_files (dataset, format) where superseded_at is null;

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
comment on table bulk_exports is 'The last export of each dataset and format, and what came of it.';
comment on column bulk_exports.outcome is 'Null while it waits or runs. unchanged: the same content as before. empty: no rows that may be passed on.';
comment on column bulk_exports.detail is 'Why it failed, in a sentence.';
