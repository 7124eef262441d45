-- Revokes from PUBLIC, which includes every role, privileges that an analyst could abuse. Grants the service's roles
-- those they need.

do $$
begin
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to analyst, energy_api, energy_worker, energy_monitor', current_database());
end $$;
revoke all on schema public from public;
grant usage on schema public to energy_api, energy_worker;

-- TimescaleDB's own catalogue of tables, jobs and their errors. In a session of any role, TimescaleDB looks up its catalogue. This needs
-- usage of the schemas but no right to read their tables; planning needs its functions.
do $$
declare
  v_schema name;
  v_relation regclass;
begin
  for v_schema in select nspname from pg_namespace where nspname in ('timescaledb_information', 'timescaledb_experimental', '_timescaledb_debug') loop
    execute format('revoke usage on schema %I from public', v_schema);
    execute format('grant usage on schema %I to energy_api, energy_worker', v_schema);
  end loop;
  for v_schema in select nspname from pg_namespace where nspname in ('_timescaledb_catalog', '_timescaledb_config', '_timescaledb_cache') loop
    execute format('grant usage on schema %I to public', v_schema);
  end loop;
  for v_relation in
    select c.oid::regclass from pg_class c, aclexplode(c.relacl) right_of
    where c.relnamespace::regnamespace::text ~ '^_timescaledb_' and c.relkind in ('r', 'v', 'S') and right_of.grantee = 0
  loop
    execute format('revoke all on %s from public', v_relation);
    execute format('grant select on %s to energy_api, energy_worker', v_relation);
  end loop;
end $$;

-- DO blocks could call anything in a loop.
revoke usage on language plpgsql from public;

-- Built-in functions that wait, lock, write, change settings, or reveal the activity of other sessions.
do $$
declare
  v_function regprocedure;
begin
  for v_function in
    select p.oid::regprocedure from pg_proc p
    where p.pronamespace = 'pg_catalog'::regnamespace
      and (p.proname ~ '^(pg_sleep|pg_(try_)?advisory|pg_stat_get_|lo_|lowrite|loread|pg_read_file_old|pg_logical_emit_message|pg_export_snapshot)'
        or p.proname in ('set_config', 'pg_terminate_backend', 'pg_cancel_backend', 'pg_notify', 'pg_lock_status', 'pg_blocking_pids',
                         'pg_show_all_settings', 'query_to_xml', 'query_to_xml_and_xmlschema', 'query_to_xmlschema', 'cursor_to_xml',
                         'cursor_to_xmlschema', 'table_to_xml', 'table_to_xml_and_xmlschema', 'table_to_xmlschema', 'schema_to_xml',
                         'schema_to_xml_and_xmlschema', 'schema_to_xmlschema', 'database_to_xml', 'database_to_xml_and_xmlschema',
                         'database_to_xmlschema'))
  loop
    execute format('revoke execute on function %s from public', v_function);
    execute format('grant execute on function %s to energy_monitor', v_function);
    if v_function::text !~ '^(pg_sleep|lo|pg_terminate_backend|pg_cancel_backend)|xml' then
      execute format('grant execute on function %s to energy_api, energy_worker', v_function);
    end if;
  end loop;
end $$;

-- System views of sessions, locks, settings and roles. Catalogues of tables and columns stay readable because tools need them.
do $$
declare
  v_view regclass;
begin
  for v_view in
    select c.oid::regclass from pg_class c
    where c.relnamespace = 'pg_catalog'::regnamespace and c.relkind = 'v'
      and (c.relname like 'pg\_stat%' or c.relname in ('pg_locks', 'pg_settings', 'pg_roles', 'pg_user', 'pg_group', 'pg_cursors',
           'pg_prepared_statements', 'pg_prepared_xacts', 'pg_replication_slots', 'pg_seclabels', 'pg_available_extensions',
           'pg_available_extension_versions'))
  loop
    execute format('revoke all on %s from public', v_view);
    execute format('grant select on %s to energy_api, energy_worker, energy_monitor', v_view);
  end loop;
end $$;
revoke all on pg_catalog.pg_db_role_setting, pg_catalog.pg_auth_members, pg_catalog.pg_largeobject_metadata from public;
