-- What fetching from publishers must remember: who is asked, what came of it, how often they were asked, what they need not send again.

alter table sources add column redistributable boolean not null default false;
comment on column sources.redistributable is 'Whether its values may be passed on in bulk: by its licence, or as the operator configured it.';

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
comment on table source_fetching is 'Each publisher that can be fetched from: whether it is, and what came of the last attempt.';
comment on column source_fetching.way is 'API, download or page, where it is on.';
comment on column source_fetching.reason is 'Why it is off: what to configure.';
comment on column source_fetching.outcome is 'Of the last attempt; refused means that the publisher refused our credentials.';
comment on column source_fetching.completed_at is 'When an attempt last had every day it was made for.';

create table source_requests (
  source text not null references sources on delete cascade,
  day date not null,
  requests integer not null check (requests > 0),
  primary key (source, day)
);
comment on table source_requests is 'Requests made to a publisher in a day of Europe/Rome, so that a restart does not forget the day''s budget.';

create table document_validators (
  source text not null references sources on delete cascade,
  address text not null,
  etag text,
  last_modified text,
  accepted_at timestamptz not null,
  primary key (source, address),
  check (etag is not null or last_modified is not null)
);
comment on table document_validators is 'What a publisher calls the version of a document that was last accepted whole; sent along so that it need not be sent again.';
