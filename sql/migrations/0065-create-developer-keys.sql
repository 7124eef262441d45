-- Developer keys that people issue to themselves: what was asked for, and who holds one.

create table key_requests (
  id bigint generated always as identity primary key,
  email text not null,
  holder text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  token_sha256 text unique check (token_sha256 ~ '^[0-9a-f]{64}$'),
  used_at timestamptz
);
comment on table key_requests is 'Requests for a Developer key that wait for the confirmation of their address. Swept once they have expired.';
comment on column key_requests.email is 'As it was written.';
comment on column key_requests.holder is 'The mailbox, however its address is written: lower case, without what follows a plus.';
comment on column key_requests.token_sha256 is 'Of the token in the mail, which is made when the mail is sent and stands nowhere; null until then.';
comment on column key_requests.used_at is 'When the key was issued, or when another request of the same holder was confirmed.';
create index key_requests_holder on key_requests (holder);
create index key_requests_expires on key_requests (expires_at);

create table developer_key_holders (
  holder text primary key,
  key_root text not null unique references api_keys on delete cascade
);
comment on table developer_key_holders is 'Who has issued a Developer key to themselves: one chain of keys a mailbox.';
comment on column developer_key_holders.key_root is 'The first key of the chain; a lost key is replaced by its successor.';

alter table emails drop constraint if exists emails_kind_check;
alter table emails add constraint emails_kind_check check (kind in ('alert_suspended', 'key_confirmation'));
comment on column emails.subject_id is 'What it is about: the id of an alert or of a request for a key.';
