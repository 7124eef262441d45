-- Backlogs of the worker and the operator.   $1 now   index: webhook_deliveries_due, quarantined_days_open, emails_due
select
  (select count(*) from webhook_deliveries where status = 'pending') as "deliveriesWaiting",
  (
    select coalesce(extract(epoch from max($1::timestamptz - greatest(d.next_attempt_at, d.claimed_until))), 0)::double precision
    from webhook_deliveries d
    join webhooks a on a.id = d.webhook_id
    join webhook_events e on e.id = d.event_id
    where d.status = 'pending' and webhook_may_call(e.kind, a.status, a.verification) and greatest(d.next_attempt_at, d.claimed_until) < $1::timestamptz
  ) as "deliveriesOverdueSeconds",
  (select count(*) from webhooks where status = 'suspended') as "alertsSuspended",
  (select count(*) from quarantined_days where status = 'open') as "daysInQuarantine",
  (select count(*) from emails where status = 'pending') as "emailsWaiting",
  pg_database_size(current_database()) as "databaseBytes"
