-- Requests per client and minute, where several processes share the limits. The columns are those rate-limiter-flexible expects.

create unlogged table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
comment on table rate_limits is 'Counters of the current minute; may be lost at a crash, so unlogged.';
