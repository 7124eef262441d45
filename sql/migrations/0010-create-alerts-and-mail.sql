-- Alerts on an index, the events and deliveries they cause, and e-mails to the owners of keys.

-- Ten thousand alerts may be triggered in one transaction. Foreign keys, checked row by row, would take a third of its time: whoever
-- writes an event or a delivery locks its alert instead, and a trigger deletes what belongs to an alert with one statement. For the
-- same reason events and deliveries have one index each by alert, the first day of an alert has a table of its own, and pages keep
-- room for rows that are updated in place.

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
  created_at timestamptz not null,
  suspended_at timestamptz,
  suspended_because text check (suspended_because in ('failures', 'gone')),
  check ((previous_secret is null) = (previous_secret_until is null)),
  check ((status = 'suspended') = (suspended_at is not null and suspended_because is not null))
) with (fillfactor = 70);
comment on table alerts is 'Thresholds on an index; a crossing is sent to a webhook.';
comment on column alerts.key_root is 'The first key of the owner''s chain of rotations: a rotated key keeps its alerts.';
comment on column alerts.threshold is 'In €/MWh, or in percent for change_pct.';
comment on column alerts.webhook_host is 'Host and port of webhook_url; concurrent deliveries are limited per host.';
comment on column alerts.verification is 'pending: only challenges are sent until the receiver has returned one.';
comment on column alerts.secret is 'Signing secret, encrypted with SECRETS_KEY.';
comment on column alerts.previous_secret is 'The secret before the last rotation; it also signs until previous_secret_until.';
comment on column alerts.consecutive_failures is 'Failed attempts since the last success or resumption.';
create index alerts_key_root on alerts (key_root, created_at);
create index alerts_active on alerts (asset) where status = 'active';

create table alert_first_days (
  alert_id text primary key,
  first_day date not null
);
comment on table alert_first_days is 'The first market day on which each alert was evaluated: on that day a met condition triggers it without a crossing.';

create table alert_days (
  asset text not null,
  market_day date not null,
  price_eur_mwh double precision not null,
  published_at timestamptz not null,
  primary key (asset, market_day)
);
comment on table alert_days is 'Publications on which the alerts were evaluated: once per day, and again if the value changes while the day is current.';

create table alert_events (
  id text primary key default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
  alert_id text not null,
  kind text not null check (kind in ('triggered', 'test', 'verification')),
  market_day date,
  price_eur_mwh double precision,
  challenge text,
  triggered_at timestamptz not null,
  check (kind <> 'triggered' or (market_day is not null and price_eur_mwh is not null)),
  check ((kind = 'verification') = (challenge is not null))
);
comment on table alert_events is 'What a webhook is notified of. The id is the webhook-id of every call about it.';
comment on column alert_events.alert_id is 'An alert that the writer has locked; no foreign key.';
comment on column alert_events.price_eur_mwh is 'The value that crossed the threshold; in a test the latest one, null if there is none.';
comment on column alert_events.challenge is 'The receiver must return it to prove control of the address.';
create unique index alert_events_once_a_day on alert_events (alert_id, (case when kind = 'triggered' then market_day end));

create table alert_deliveries (
  id text primary key default 'dlv_' || replace(gen_random_uuid()::text, '-', ''),
  event_id text not null,
  alert_id text not null,
  request_id text check (request_id ~ '^[A-Za-z0-9._-]{8,64}$'),
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts smallint not null default 0,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  give_up_at timestamptz not null,
  claimed_until timestamptz,
  finished_at timestamptz,
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'pending') = (finished_at is null))
) with (fillfactor = 70);
comment on table alert_deliveries is 'The outbox: one delivery of an event, with its retries. A replay is another delivery of the same event.';
comment on column alert_deliveries.event_id is 'An event of the alert that the writer has locked; no foreign key.';
comment on column alert_deliveries.alert_id is 'The alert of the event.';
comment on column alert_deliveries.request_id is 'The request that caused it, or the job that detected the crossing; sent as X-Request-Id, so that logs can be followed to the call of the webhook.';
comment on column alert_deliveries.give_up_at is 'No attempt is made after this instant.';
comment on column alert_deliveries.claimed_until is 'A worker is delivering it; after this instant the worker counts as dead and another may try.';
create index alert_deliveries_due on alert_deliveries (next_attempt_at) where status = 'pending';
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
comment on table alert_attempts is 'Each call to a webhook and its outcome.';

create function delete_alert_dependents() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from alert_first_days f using gone where f.alert_id = gone.id;
  delete from alert_deliveries d using alert_events e, gone where d.event_id = e.id and e.alert_id = gone.id;
  delete from alert_events e using gone where e.alert_id = gone.id;
  return null;
end $$;
comment on function delete_alert_dependents() is
  'Trigger: deletes the first days, events and deliveries of deleted alerts. Runs as its owner, since the role that deletes an alert may not delete these.';

create trigger alerts_deletion after delete on alerts referencing old table as gone
  for each statement execute function delete_alert_dependents();

create table emails (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('alert_suspended', 'key_confirmation')),
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
comment on table emails is 'Messages to owners of keys, written in the transaction that causes them and sent by a job.';
comment on column emails.subject_id is 'The id of the alert or of the request for a key that it is about.';
comment on column emails.status is 'not_sent: there is no address, or no mail server is configured; the API shows the message.';
create index emails_due on emails (next_attempt_at) where status = 'pending';
create index emails_subject on emails (subject_id, id);
