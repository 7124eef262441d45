-- Where every value comes from, and the days that were not accepted.

create table documents (
  id bigint generated always as identity primary key,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  source text not null references sources on delete restrict,
  address text not null,
  bytes bigint not null,
  fetched_at timestamptz not null,
  unique (sha256, source, address)
);
comment on table documents is 'Each file or response that prices came from. The same content from the same address is one document.';
comment on column documents.sha256 is 'SHA-256 of the bytes as received, before decompression.';
comment on column documents.address is 'Address it was fetched from, or the name of the imported file (and of the entry inside an archive).';

create table quarantined_days (
  id bigint generated always as identity primary key,
  document_id bigint not null references documents on delete restrict,
  source text not null references sources on delete restrict,
  series text not null,
  market_day date,
  resolution_minutes smallint,
  reasons text[] not null check (cardinality(reasons) > 0),
  details text[] not null,
  prices double precision[],
  status text not null default 'open' check (status in ('open', 'accepted', 'rejected')),
  quarantined_at timestamptz not null,
  resolved_at timestamptz,
  constraint quarantined_days_once unique nulls not distinct (document_id, series, market_day, resolution_minutes)
);
comment on table quarantined_days is 'Days and documents that failed validation. The last valid data remain in place.';
comment on column quarantined_days.series is 'zone:<code> or asset:<code>; document if the problem concerns no single day.';
comment on column quarantined_days.reasons is 'Fault codes of src/publishers/observations.ts.';
comment on column quarantined_days.details is 'One sentence per fault: where it is, and the text at fault.';
comment on column quarantined_days.prices is 'The prices as the document states them, by ordinal; null if it states none.';
create index quarantined_days_open on quarantined_days (quarantined_at) where status = 'open';
