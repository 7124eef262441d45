-- What a delivery came from can be followed from the log of the request, or of the job, to the call of the webhook.
alter table alert_deliveries add column request_id text check (request_id ~ '^[A-Za-z0-9._-]{8,64}$');
comment on column alert_deliveries.request_id is 'Of the request that asked for it, or of the job that detected the crossing; sent along as X-Request-Id.';
