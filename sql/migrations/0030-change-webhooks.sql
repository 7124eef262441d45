-- Alerts that people read: mail to the holder of the key, calls in plain text. Alerts whose threshold may change.

alter table webhooks
  drop constraint alerts_webhook_url_check,
  add constraint webhooks_url_check check (url like 'https://%' or url like 'mailto:%' and id like 'alr\_%'),
  add column body text not null default 'json' check (body in ('json', 'text')),
  add column language text not null default 'en' check (language in ('en', 'it'));
comment on column webhooks.url is 'Address that is called; mailto: and the address of the key''s holder for an alert by mail.';
comment on column webhooks.host is 'Host and port of url, or mail; concurrent deliveries are limited per host.';
comment on column webhooks.body is 'Of an alert. text: calls have a sentence for people as their body.';
comment on column webhooks.language is 'Of the sentence, and of mail.';

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
