-- API keys, their usage and limits, and Developer keys that people request themselves.

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
create index api_keys_rotated_from on api_keys (rotated_from) where rotated_from is not null;
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
comment on table api_key_usage is 'Requests of a key in a calendar month of Europe/Rome: those counted, and those a process has reserved for the next seconds.';
comment on column api_key_usage.month is 'First day of the month.';

create table key_version (
  singleton boolean primary key default true check (singleton),
  version bigint not null
);
comment on table key_version is 'Raised whenever a key is created, changed or revoked; keys cached under an older number are read again.';
insert into key_version (version) values (1);

-- Shared by all processes.
create unlogged table rate_limits (
  client text primary key,
  used integer not null check (used >= 0),
  ends_at_ms bigint not null,
  admitted boolean not null
);
comment on table rate_limits is 'Counters of the current minute and day; unlogged, since a crash may lose them.';
comment on column rate_limits.client is 'Length of the window, then the key or address.';
comment on column rate_limits.ends_at_ms is 'End of the window, in milliseconds since 1970.';
comment on column rate_limits.admitted is 'Whether the last request was within its limit: the statement that counts cannot tell otherwise.';

create table key_requests (
  id bigint generated always as identity primary key,
  email text not null,
  holder text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  token_sha256 text unique check (token_sha256 ~ '^[0-9a-f]{64}$'),
  used_at timestamptz
);
comment on table key_requests is 'Requests for a Developer key that await confirmation of their address. Deleted after they expire.';
comment on column key_requests.email is 'As entered.';
comment on column key_requests.holder is 'The mailbox, whatever the spelling of its address: lower case, without the part after a plus.';
comment on column key_requests.token_sha256 is 'Of the token in the e-mail, which is made when the e-mail is sent and is stored nowhere; null until then.';
comment on column key_requests.used_at is 'When the key was issued, or when another request of the same holder was confirmed.';
create index key_requests_holder on key_requests (holder);
create index key_requests_expires on key_requests (expires_at);

create table developer_key_holders (
  holder text primary key,
  key_root text not null unique references api_keys on delete cascade
);
comment on table developer_key_holders is 'Holders of a Developer key that they requested themselves: one chain of keys per mailbox.';
comment on column developer_key_holders.key_root is 'The first key of the chain; its successor replaces a lost key.';
