-- Exports to order: files that holders of keys have had made. A change may be about a holder's file, so a change of exports can be a holder's too.

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

alter table changes
  drop constraint changes_check1,
  add constraint changes_check1 check (
    case dataset when 'keys' then key_root is not null when 'exports' then true else key_root is null end
  );
comment on column changes.key_root is 'Of a change of keys and of an export to order: the first key of the chain, whose holder alone sees it. Null: everybody sees it.';
