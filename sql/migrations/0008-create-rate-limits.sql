-- Requests per client and window of time, where several processes share the limits.

create unlogged table rate_limits (
  client text primary key,
  used integer not null check (used >= 0),
  ends_at_ms bigint not null,
  admitted boolean not null
);
comment on table rate_limits is 'Counters of the current minute and day; may be lost at a crash, so unlogged.';
comment on column rate_limits.client is 'Length of the window, then the key or address that is counted.';
comment on column rate_limits.ends_at_ms is 'Milliseconds since 1970; names the window.';
comment on column rate_limits.admitted is 'Whether the last request was within its limit: what counts it cannot tell otherwise.';
