-- Creates missing roles and limits the analysts' sessions.

do $$
declare
  v_role text;
begin
  foreach v_role in array array['analyst', 'energy_api', 'energy_worker', 'energy_monitor'] loop
    if to_regrole(v_role) is null then
      execute format('create role %I login', v_role);
    end if;
  end loop;
end $$;

alter role analyst connection limit 20;
alter role analyst set search_path = analytics;
alter role analyst set timezone = 'Europe/Rome';
alter role analyst set default_transaction_read_only = on;
alter role analyst set statement_timeout = '60s';
alter role analyst set lock_timeout = '5s';
alter role analyst set idle_in_transaction_session_timeout = '60s';
alter role analyst set work_mem = '32MB';
alter role analyst set hash_mem_multiplier = 1;

-- Only a superuser may set this limit, so no analyst can raise it.
do $$
begin
  alter role analyst set temp_file_limit = '2GB';
exception when insufficient_privilege then
  raise warning 'temp_file_limit of the role analyst is not set: that takes a superuser';
end $$;

do $$
begin
  grant pg_monitor, pg_signal_backend to energy_monitor;
exception when insufficient_privilege then
  raise warning 'energy_monitor cannot be given pg_monitor and pg_signal_backend: grant them as the server''s administrator';
end $$;
