-- Alerts on an index, what set them off, what was sent, and the e-mails that tell their owners.

create index api_keys_rotated_from on api_keys (rotated_from) where rotated_from is not null;

create table alerts (
  id text primary key check (id ~ '^alr_[0-9a-z]{16}$'),
  key_root text not null references api_keys on delete cascade,
  asset text not null check (asset in ('pun', 'psv', 'ttf') or asset ~ '^pun-zona-(nord|cnor|csud|sud|cala|sici|sard)$'),
  condition text not null check (condition in ('above', 'below', 'change_pct')),
  threshold double precision not null check (threshold > '-Infinity' and threshold < 'Infinity'),
  webhook_url text not null check (webhook_url like 'https://%'),
  webhook_host text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  verification text not null default 'not_required' check (verification in ('not_required', 'pending', 'verified')),
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz,
  consecutive_failures smallint not null default 0 check (consecutive_failures >= 0),
  first_day date,
  created_at timestamptz not null,
  suspended_at timestamptz,
  suspended_because text check (suspended_because in ('failures', 'gone')),
  check ((previous_secret is null) = (previous_secret_until is null)),
  check ((status = 'suspended') = (suspended_at is not null and suspended_because is not null))
);
comment on table alerts is 'Thresholds on an index whose crossing is sent to a webhook.';
comment on column alerts.key_root is 'The first key of the owner''s chain of rotations: a rotated key keeps its alerts.';
comment on column alerts.threshold is 'In €/MWh, or in percent for change_pct.';
comment on column alerts.webhook_host is 'Host and port of webhook_url: deliveries are bounded by it.';
comment on column alerts.verification is 'pending: nothing but a challenge is sent until the receiver has sent one back.';
comment on column alerts.secret is 'Signing secret, encrypted with SECRETS_KEY.';
comment on column alerts.previous_secret is 'The secret before the last rotation, which signs too until previous_secret_until.';
comment on column alerts.consecutive_failures is 'Failed attempts since the last success or resumption.';
comment on column alerts.first_day is 'The first market day it was judged on, on which being met is enough.';
create index alerts_key_root on alerts (key_root, created_at);
create index alerts_active on alerts (asset) where status = 'active';

create table alert_days (
  asset text not null,
  market_day date not null,
  price_eur_mwh double precision not null,
  published_at timestamptz not null,
  primary key (asset, market_day)
);
comment on table alert_days is 'Publications the alerts have been judged on: a day is judged once, and again if its value changes while it is current.';

create table alert_events (
  id text primary key default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
  alert_id text not null references alerts on delete cascade,
  kind text not null check (kind in ('triggered', 'test', 'verification')),
  market_day date,
  price_eur_mwh double precision,
  challenge text,
  triggered_at timestamptz not null,
  check (kind <> 'triggered' or (market_day is not null and price_eur_mwh is not null)),
  check ((kind = 'verification') = (challenge is not null))
);
comment on table alert_events is 'What is told to a webhook. The id is the webhook-id of every call about it.';
comment on column alert_events.price_eur_mwh is 'The value that crossed the threshold; in a test the latest one, null where there is none.';
comment on column alert_events.challenge is 'What a receiver is to send back, so that its address is taken for its owner''s.';
create unique index alert_events_once_a_day on alert_events (alert_id, market_day) where kind = 'triggered';
create index alert_events_alert on alert_events (alert_id);

create table alert_deliveries (
  id text primary key default 'dlv_' || replace(gen_random_uuid()::text, '-', ''),
  event_id text not null references alert_events on delete cascade,
  alert_id text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts smallint not null default 0,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  give_up_at timestamptz not null,
  claimed_until timestamptz,
  finished_at timestamptz,
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'pending') = (finished_at is null))
);
comment on table alert_deliveries is 'One sending of an event with its retries: the outbox. A replay is another delivery of the same event.';
comment on column alert_deliveries.alert_id is 'That of the event, which it goes with: no key of its own, for the sake of ten thousand at once.';
comment on column alert_deliveries.give_up_at is 'No attempt is made after this instant.';
comment on column alert_deliveries.claimed_until is 'A worker is at it; after this instant it is taken for dead and another may try.';
create index alert_deliveries_due on alert_deliveries (next_attempt_at, id) where status = 'pending';
create index alert_deliveries_alert on alert_deliveries (alert_id, created_at);
create index alert_deliveries_event on alert_deliveries (event_id);

create table alert_attempts (
  delivery_id text not null references alert_deliveries on delete cascade,
  number smallint not null check (number > 0),
  started_at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  outcome text not null check (outcome in ('delivered', 'bad_status', 'redirect', 'gone', 'timeout', 'refused_address', 'connection_failed', 'not_echoed')),
  status_code smallint,
  detail text,
  primary key (delivery_id, number)
);
comment on table alert_attempts is 'Each call to a webhook, as it went.';

create table emails (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('alert_suspended')),
  subject_id text not null,
  recipient text,
  subject text not null,
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'sent', 'failed', 'not_sent')),
  attempts smallint not null default 0,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  sent_at timestamptz,
  problem text,
  check ((status = 'pending') = (next_attempt_at is not null)),
  check (status <> 'pending' or recipient is not null)
);
comment on table emails is 'Messages to owners of keys, written in the transaction that calls for them and sent by a job.';
comment on column emails.subject_id is 'What it is about: the id of an alert.';
comment on column emails.status is 'not_sent: there is no address, or no mail server is configured; the API shows what it says.';
create index emails_due on emails (next_attempt_at) where status = 'pending';
create index emails_subject on emails (subject_id, id);
