-- Webhooks, which are called about crossings of a threshold (alerts) or about changes; the events and deliveries they cause; e-mails to
-- the holders of keys.

-- Ten thousand alerts may be triggered in one transaction. Foreign keys, checked row by row, would take a third of its time: a writer of
-- an event or a delivery locks its webhook instead, and a trigger deletes what belongs to a webhook with one statement. For the same
-- reason events and deliveries have one index each by webhook, the first day of an alert has a table of its own, and pages keep room for
-- rows that are updated in place.

create table webhooks (
  id text primary key check (id ~ '^(alr|whk)_[0-9a-z]{16}$'),
  key_root text not null references api_keys on delete cascade,
  asset text check (asset in ('pun', 'psv', 'ttf') or asset ~ '^pun-zona-(nord|cnor|csud|sud|cala|sici|sard)$'),
  condition text check (condition in ('above', 'below', 'change_pct')),
  threshold double precision check (threshold > '-Infinity' and threshold < 'Infinity'),
  url text not null check (url like 'https://%' or url like 'mailto:%' and id like 'alr\_%'),
  host text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  verification text not null default 'not_required' check (verification in ('not_required', 'pending', 'verified')),
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz,
  consecutive_failures smallint not null default 0 check (consecutive_failures >= 0),
  created_at timestamptz not null,
  suspended_at timestamptz,
  suspended_because text check (suspended_because in ('failures', 'gone')),
  granularity text check (granularity in ('day', 'hour')),
  kinds text[],
  datasets text[],
  zones text[],
  starts_after bigint,
  body text not null default 'json' check (body in ('json', 'text')),
  language text not null default 'en' check (language in ('en', 'it')),
  check ((previous_secret is null) = (previous_secret_until is null)),
  check ((status = 'suspended') = (suspended_at is not null and suspended_because is not null)),
  check (case when id like 'alr\_%' then num_nonnulls(asset, condition, threshold, granularity) = 4 and num_nulls(kinds, datasets, zones, starts_after) = 4
         else num_nulls(asset, condition, threshold, granularity) = 4 and num_nonnulls(kinds, starts_after) = 2 end)
) with (fillfactor = 70);
comment on table webhooks is 'Who is called when: an alert (alr_…) about crossings of a threshold, or a webhook of changes (whk_…).';
comment on column webhooks.key_root is 'The first key of the owner''s chain of rotations: a rotated key keeps them.';
comment on column webhooks.threshold is 'In €/MWh, or in percent for change_pct.';
comment on column webhooks.url is 'Address that is called; mailto: and the address of the key''s holder for an alert by mail.';
comment on column webhooks.host is 'Host and port of url, or mail; concurrent deliveries are limited per host.';
comment on column webhooks.verification is 'pending: only challenges are sent until the receiver has returned one.';
comment on column webhooks.secret is 'Signing secret, encrypted with SECRETS_KEY.';
comment on column webhooks.previous_secret is 'The secret before the last rotation; it also signs until previous_secret_until.';
comment on column webhooks.consecutive_failures is 'Failed attempts since the last success or resumption.';
comment on column webhooks.granularity is 'Of an alert. hour: each hour of the day is compared, and the day fires where one meets the condition.';
comment on column webhooks.kinds is 'Of a webhook of changes: the kinds it is called about.';
comment on column webhooks.datasets is 'Only changes of these; null: of all.';
comment on column webhooks.zones is 'Of the changes of zones only those that concern one of these; null: all.';
comment on column webhooks.starts_after is 'The position in changes at which it was created: it is called about what came later.';
comment on column webhooks.body is 'Of an alert. text: calls have a sentence for people as their body.';
comment on column webhooks.language is 'Of the sentence, and of mail.';
create index webhooks_key_root on webhooks (key_root, created_at);
create index alerts_active_by_asset on webhooks (asset) where status = 'active';

create table alert_first_days (
  webhook_id text primary key,
  first_day date not null
);
comment on table alert_first_days is 'The first market day on which each alert was evaluated: on that day a met condition triggers it without a crossing.';

create table alert_days (
  asset text not null,
  market_day date not null,
  price_eur_mwh double precision not null,
  published_at timestamptz not null,
  lowest_hour double precision,
  highest_hour double precision,
  primary key (asset, market_day)
);
comment on column alert_days.lowest_hour is 'Of the hours of the day; null where the price is that of a day alone, or was judged before hours were.';
comment on table alert_days is 'Publications on which the alerts were evaluated: once per day, and again if the value changes while the day is current.';

create table webhook_events (
  id text primary key default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
  webhook_id text not null,
  kind text not null check (kind in ('triggered', 'changed', 'test', 'verification')),
  market_day date,
  price_eur_mwh double precision,
  challenge text,
  triggered_at timestamptz not null,
  hours timestamptz[],
  change jsonb,
  check (kind <> 'triggered' or (market_day is not null and price_eur_mwh is not null)),
  check ((kind = 'verification') = (challenge is not null)),
  check (kind <> 'changed' or change is not null)
);
comment on table webhook_events is 'What a webhook is notified of. The id is the webhook-id of every call about it.';
comment on column webhook_events.webhook_id is 'A webhook that the writer has locked; no foreign key.';
comment on column webhook_events.price_eur_mwh is 'The value that crossed the threshold; in a test the latest one, null if there is none.';
comment on column webhook_events.hours is 'Starts of the hours that meet the condition; only of alerts on hours.';
comment on column webhook_events.change is 'The row of changes; in a test the latest one, null if there is none.';
comment on column webhook_events.challenge is 'The receiver must return it to prove control of the address.';
create unique index webhook_events_once_a_day on webhook_events (webhook_id, (case when kind = 'triggered' then market_day end));
create index webhook_events_of_changes on webhook_events (triggered_at) where kind = 'changed';

create table webhook_deliveries (
  id text primary key default 'dlv_' || replace(gen_random_uuid()::text, '-', ''),
  event_id text not null,
  webhook_id text not null,
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
comment on table webhook_deliveries is 'The outbox: one delivery of an event, with its retries. A replay is another delivery of the same event.';
comment on column webhook_deliveries.event_id is 'An event of the alert that the writer has locked; no foreign key.';
comment on column webhook_deliveries.webhook_id is 'That of the event.';
comment on column webhook_deliveries.request_id is 'The request that caused it, or the job that detected the crossing; sent as X-Request-Id, so that logs can be followed to the call of the webhook.';
comment on column webhook_deliveries.give_up_at is 'No attempt is made after this instant.';
comment on column webhook_deliveries.claimed_until is 'A worker is delivering it; after this instant the worker counts as dead and another may try.';
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status = 'pending';
create index webhook_deliveries_event on webhook_deliveries (event_id);

create table webhook_attempts (
  delivery_id text not null references webhook_deliveries on delete cascade,
  number smallint not null check (number > 0),
  started_at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  outcome text not null check (outcome in ('delivered', 'bad_status', 'redirect', 'gone', 'timeout', 'refused_address', 'connection_failed', 'not_echoed')),
  status_code smallint,
  detail text,
  primary key (delivery_id, number)
);
comment on table webhook_attempts is 'Each call to a webhook and its outcome.';

create function delete_webhook_dependents() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from alert_first_days f using gone where f.webhook_id = gone.id;
  delete from webhook_deliveries d using webhook_events e, gone where d.event_id = e.id and e.webhook_id = gone.id;
  delete from webhook_events e using gone where e.webhook_id = gone.id;
  return null;
end $$;
comment on function delete_webhook_dependents() is
  'Trigger: deletes the first days, events and deliveries of deleted webhooks. Runs as its owner, since the role that deletes a webhook may not delete these.';
create trigger webhooks_deletion after delete on webhooks referencing old table as gone
  for each statement execute function delete_webhook_dependents();

create function restart_alert() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from alert_first_days where webhook_id = new.id;
  return null;
end $$;
comment on function restart_alert() is
  'Trigger: an alert with another threshold is evaluated like a new one. Runs as its owner, since the role that changes an alert may not delete its first day.';
create trigger webhooks_restart after update of threshold on webhooks
  for each row when (old.threshold is distinct from new.threshold) execute function restart_alert();

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
