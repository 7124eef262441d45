-- What calls a receiver: an alert, and a webhook of changes. Both share the receiver's address, its secrets, verification and
-- suspension, the events and their deliveries. Changes that concern the owner of a key alone; kinds of changes that came later.

alter table alerts rename to webhooks;
alter table webhooks rename column webhook_url to url;
alter table webhooks rename column webhook_host to host;
alter index alerts_key_root rename to webhooks_key_root;
alter index alerts_active rename to alerts_active_by_asset;
alter table webhooks drop constraint alerts_id_check;
alter table webhooks rename constraint alerts_pkey to webhooks_pkey;
alter table webhooks
  alter column asset drop not null,
  alter column condition drop not null,
  alter column threshold drop not null,
  add column granularity text check (granularity in ('day', 'hour')),
  add column kinds text[],
  add column datasets text[],
  add column zones text[],
  add column starts_after bigint;
update webhooks set granularity = 'day';
alter table webhooks
  add check (id ~ '^(alr|whk)_[0-9a-z]{16}$'),
  add check (case when id like 'alr\_%' then num_nonnulls(asset, condition, threshold, granularity) = 4 and num_nulls(kinds, datasets, zones, starts_after) = 4
             else num_nulls(asset, condition, threshold, granularity) = 4 and num_nonnulls(kinds, starts_after) = 2 end);
comment on table webhooks is 'Who is called when: an alert (alr_…) about crossings of a threshold, or a webhook of changes (whk_…).';
comment on column webhooks.key_root is 'The first key of the owner''s chain of rotations: a rotated key keeps them.';
comment on column webhooks.host is 'Host and port of url; concurrent deliveries are limited per host.';
comment on column webhooks.granularity is 'Of an alert. hour: each hour of the day is compared, and the day fires where one meets the condition.';
comment on column webhooks.kinds is 'Of a webhook of changes: the kinds it is called about.';
comment on column webhooks.datasets is 'Only changes of these; null: of all.';
comment on column webhooks.zones is 'Of the changes of zones only those that concern one of these; null: all.';
comment on column webhooks.starts_after is 'The position in changes at which it was created: it is called about what came later.';

alter table alert_first_days rename column alert_id to webhook_id;
alter table alert_events rename to webhook_events;
alter table webhook_events rename column alert_id to webhook_id;
alter index alert_events_once_a_day rename to webhook_events_once_a_day;
alter table webhook_events drop constraint alert_events_kind_check;
alter table webhook_events rename constraint alert_events_pkey to webhook_events_pkey;
alter table webhook_events
  add column hours timestamptz[],
  add column change jsonb,
  add constraint webhook_events_kind_check check (kind in ('triggered', 'changed', 'test', 'verification')),
  add check (kind <> 'changed' or change is not null);
comment on column webhook_events.webhook_id is 'A webhook that the writer has locked; no foreign key.';
comment on column webhook_events.hours is 'Starts of the hours that meet the condition; only of alerts on hours.';
comment on column webhook_events.change is 'The row of changes; in a test the latest one, null if there is none.';
create index webhook_events_of_changes on webhook_events (triggered_at) where kind = 'changed';

alter table alert_deliveries rename to webhook_deliveries;
alter table webhook_deliveries rename column alert_id to webhook_id;
alter table webhook_deliveries rename constraint alert_deliveries_pkey to webhook_deliveries_pkey;
alter index alert_deliveries_due rename to webhook_deliveries_due;
alter index alert_deliveries_event rename to webhook_deliveries_event;
comment on column webhook_deliveries.webhook_id is 'That of the event.';
alter table alert_attempts rename to webhook_attempts;
alter table webhook_attempts rename constraint alert_attempts_pkey to webhook_attempts_pkey;

drop function if exists alert_prices(text, date, date);
drop function if exists due_alert_deliveries(timestamptz, text[], integer);
drop function if exists verify_alert_webhook(text, text, timestamptz);
drop function if exists record_alert_attempt(text, timestamptz, integer, text, integer, text, timestamptz, integer, timestamptz);
drop function if exists alert_may_call(text, text, text);
drop trigger alerts_deletion on webhooks;
drop function delete_alert_dependents();
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

alter table alert_days
  add column lowest_hour double precision,
  add column highest_hour double precision;
comment on column alert_days.lowest_hour is 'Of the hours of the day; null where the price is that of a day alone, or was judged before hours were.';

create table change_queue (
  singleton boolean primary key default true check (singleton),
  position bigint not null
);
comment on table change_queue is 'Deliveries to webhooks have been written of every change up to this position. Apart from change_log, so that nobody who records a change waits.';
insert into change_queue (position) select position from change_log;

alter table changes
  add column key_root text references api_keys on delete cascade,
  drop constraint changes_kind_check,
  drop constraint changes_dataset_check,
  add constraint changes_kind_check check (
    kind in (
      'day.published', 'day.corrected', 'hours.negative', 'forecast.issued', 'offers.updated', 'export.ready', 'source.late',
      'source.recovered', 'dataset.reset', 'key.rotated', 'key.revoked', 'quota.reached'
    )
  ),
  add constraint changes_dataset_check check (
    dataset in (
      'pun', 'zones', 'psv', 'ttf', 'brent', 'co2', 'forecasts', 'forecasts-hourly', 'fundamentals', 'offers', 'exports', 'sources', 'keys'
    )
  ),
  add check ((key_root is null) = (dataset is distinct from 'keys'));
comment on column changes.key_root is 'Of a change of keys: the first key of the chain, whose holder alone sees it. Null: everybody sees it.';
create index changes_of_keys on changes (key_root) where key_root is not null;
