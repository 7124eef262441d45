-- Ends the sessions with an application name and returns whether there were any. A client that gives its session an unguessable name can
-- thus end a statement that does not finish. The caller cannot see which sessions exist.

create or replace function analytics.end_session(name text) returns boolean
language sql volatile strict security definer set search_path = pg_catalog, pg_temp
return (
  select coalesce(bool_or(pg_terminate_backend(pid)), false) from pg_stat_activity
  where application_name = end_session.name and length(end_session.name) >= 32 and pid <> pg_backend_pid()
);
revoke execute on function analytics.end_session(text) from public;
grant execute on function analytics.end_session(text) to analyst;

do $$
begin
  alter function analytics.end_session(text) owner to energy_monitor;
exception when insufficient_privilege then
  raise warning 'analytics.end_session() stays with its owner, who must be allowed to end sessions';
end $$;
