#!/bin/sh
# Ends statements and transactions of the role analyst that run for longer than SECONDS_MAX: an analyst can raise his own time-outs.
# Connects by the PG* variables as energy_monitor (PGPASSWORD_FILE). ONCE=1: looks once and ends, for tests and cron.
set -eu
PGPASSWORD="$(cat "$PGPASSWORD_FILE")"
export PGPASSWORD
look() {
  psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 --set seconds="${SECONDS_MAX:-60}" <<'SQL'
-- Materialised, or the planner may end sessions before it asks whose they are.
with late as materialized (
  select pid, round(extract(epoch from clock_timestamp() - xact_start)) as seconds
  from pg_stat_activity
  where usename = 'analyst' and xact_start < clock_timestamp() - make_interval(secs => :seconds)
)
select 'ended a session of analyst after ' || seconds || ' s' from late where pg_terminate_backend(pid);
SQL
}

if [ "${ONCE:-0}" = 1 ]; then
  look
  exit
fi
while :; do
  look || echo 'the replica does not answer' >&2
  sleep "${EVERY_SECONDS:-5}"
done
