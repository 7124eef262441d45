-- API keys, and what each has used in a month.

create table api_keys (
  id text primary key check (id ~ '^key_[0-9a-z]{12}$'),
  sha256 text not null unique check (sha256 ~ '^[0-9a-f]{64}$'),
  hint text not null,
  plan text not null check (plan in ('Developer', 'API', 'Pro', 'Trading', 'Enterprise')),
  owner text not null check (owner <> ''),
  email text,
  requests_per_minute integer check (requests_per_minute > 0),
  requests_per_month bigint check (requests_per_month > 0),
  attribution text,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  rotated_from text references api_keys on delete set null
);
comment on table api_keys is 'Keys by the SHA-256 of their text, which is shown once and never stored.';
comment on column api_keys.hint is 'The first characters, to tell keys apart.';
comment on column api_keys.requests_per_minute is 'In place of the plan''s figure, for Enterprise keys.';
comment on column api_keys.requests_per_month is 'In place of the plan''s quota, for Enterprise keys.';
comment on column api_keys.attribution is 'White-label text in place of the service''s own.';
comment on column api_keys.expires_at is 'The key is refused from this instant on: the end of a rotation''s overlap.';

create table api_key_usage (
  key_id text not null references api_keys on delete cascade,
  month date not null check (extract(day from month) = 1),
  requests bigint not null check (requests >= 0),
  primary key (key_id, month)
);
comment on table api_key_usage is 'Requests of a key in a calendar month of Europe/Rome: those that counted, and those that a process has reserved for the next seconds.';
comment on column api_key_usage.month is 'First day of the month.';

create table key_version (
  singleton boolean primary key default true check (singleton),
  version bigint not null
);
comment on table key_version is 'Raised whenever a key is created, changed or revoked; keys remembered under an older number are read again.';
insert into key_version (version) values (1);
