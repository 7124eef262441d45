-- Bulk exports: the files that can be downloaded, and the last export of each dataset.

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
