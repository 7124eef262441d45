-- Ten thousand alerts may go off in one transaction. A key that is checked row by row takes a third of that; who writes an event or
-- a delivery locks its alert instead, and what belongs to an alert goes with it by one statement. The first day that an alert is
-- judged on has a table of its own, since writing it into the alert writes all of the alert again. And of deliveries that are due at one
-- instant any may be the first: an index of the instants alone is written faster.

alter table alert_events drop constraint alert_events_alert_id_fkey;
alter table alert_deliveries drop constraint alert_deliveries_event_id_fkey;
comment on column alert_events.alert_id is 'Of an alert that its writer has locked: there is no foreign key, for the sake of ten thousand at once.';
comment on column alert_deliveries.event_id is 'Of an event of the alert that its writer has locked.';
comment on column alert_deliveries.alert_id is 'That of the event.';

drop index alert_deliveries_due;
create index alert_deliveries_due on alert_deliveries (next_attempt_at) where status = 'pending';

create table alert_first_days (
  alert_id text primary key,
  first_day date not null
);
comment on table alert_first_days is 'The first market day that each alert was judged on, on which being met is enough.';

insert into alert_first_days (alert_id, first_day) select id, first_day from alerts where first_day is not null;
alter table alerts drop column first_day;

create function delete_what_alerts_left() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from alert_first_days f using gone where f.alert_id = gone.id;
  delete from alert_deliveries d using alert_events e, gone where d.event_id = e.id and e.alert_id = gone.id;
  delete from alert_events e using gone where e.alert_id = gone.id;
  return null;
end $$;
comment on function delete_what_alerts_left() is
  'Trigger: first days, events and deliveries go with their alerts. As their owner, since who deletes an alert may not delete these.';

create trigger alerts_deletion after delete on alerts referencing old table as gone
  for each statement execute function delete_what_alerts_left();
