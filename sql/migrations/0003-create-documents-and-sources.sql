-- Where every value comes from, the days that were not accepted, and fetching from publishers.

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

create table source_fetching (
  source text primary key references sources on delete cascade,
  state text not null check (state in ('on', 'off')),
  way text,
  reason text,
  attempted_at timestamptz,
  outcome text check (
    outcome in ('complete', 'incomplete', 'not-published', 'unreachable', 'refused', 'budget-spent', 'failed')
  ),
  detail text,
  completed_at timestamptz
);
comment on table source_fetching is 'Each publisher that can be fetched: whether fetching is on, and the outcome of the last attempt.';
comment on column source_fetching.way is 'API, download or page; null if it is off.';
comment on column source_fetching.reason is 'Why it is off: what to configure.';
comment on column source_fetching.outcome is 'Of the last attempt; refused: the publisher refused the credentials.';
comment on column source_fetching.completed_at is 'When an attempt last returned every day it asked for.';

create table source_requests (
  source text not null references sources on delete cascade,
  day date not null,
  requests integer not null check (requests > 0),
  primary key (source, day)
);
comment on table source_requests is 'Requests made to a publisher in a day of Europe/Rome, so that the day''s budget survives a restart.';

create table document_validators (
  source text not null references sources on delete cascade,
  address text not null,
  etag text,
  last_modified text,
  accepted_at timestamptz not null,
  primary key (source, address),
  check (etag is not null or last_modified is not null)
);
comment on table document_validators is 'Validators (ETag, Last-Modified) of the last version of each document that was accepted in full, for conditional requests.';

create table publications (
  source text not null references sources on delete cascade,
  market_day date not null,
  attempts integer not null check (attempts > 0),
  outcome text not null check (outcome in ('complete', 'incomplete', 'not_published', 'unreachable', 'refused')),
  asked_at timestamptz not null,
  ask_again_at timestamptz,
  primary key (source, market_day)
);
comment on table publications is 'The last request to a source for a market day, by the process''s clock. Only the prices tell whether the day is complete.';
comment on column publications.attempts is 'How often it was requested; the pause grows after each failed attempt.';
comment on column publications.ask_again_at is 'The next request is not made before this instant; null if the day is complete.';

create table source_states (
  source text primary key references sources on delete cascade,
  away_since timestamptz,
  refused_since timestamptz,
  failures integer not null default 0,
  catch_up_at timestamptz,
  reread_at timestamptz
);
comment on table source_states is 'The state of each source that is fetched, so that a restart neither loses nor repeats an alarm.';
comment on column source_states.away_since is 'When a day first became late with no complete day since; null while the source delivers.';
comment on column source_states.refused_since is 'When the source first refused the credentials; null while it accepts them.';
comment on column source_states.failures is 'Consecutive failures to reach it while filling gaps.';
comment on column source_states.catch_up_at is 'When its missing days are next looked for; null: immediately.';
comment on column source_states.reread_at is 'When its last days are next read again for corrections.';

create table source_events (
  id bigint generated always as identity primary key,
  source text not null references sources on delete cascade,
  kind text not null check (kind in ('late', 'back', 'quarantined', 'corrected', 'refused')),
  market_day date,
  occurred_at timestamptz not null,
  facts jsonb not null default '{}',
  closed_at timestamptz,
  announced_at timestamptz,
  constraint source_events_once unique nulls not distinct (source, kind, market_day, occurred_at)
);
comment on table source_events is 'Events for users and operators, each recorded once: written in the transaction that detects it, announced afterwards.';
comment on column source_events.kind is
  'late: a day was not complete in time. back: the first complete day after that. quarantined: a day failed validation. corrected: later values of the same source replaced earlier ones. refused: the source refused the credentials.';
comment on column source_events.market_day is 'Null if the event concerns no single day.';
comment on column source_events.closed_at is 'When the problem ended: the day is complete, or the source accepts the credentials.';
comment on column source_events.announced_at is 'When it was logged; null: not yet.';
create index source_events_open on source_events (source, kind) where closed_at is null;
create index source_events_unannounced on source_events (id) where announced_at is null;
create unique index source_events_late_once on source_events (source, market_day) where kind = 'late';
