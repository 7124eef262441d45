-- Privileges of the role analyst beyond reading the views of the schema analytics, one phrase per row; none if all is in order.
select 'has the attribute ' || attribute as excess
from pg_roles a, unnest(
  array[case when a.rolsuper then 'SUPERUSER' end, case when a.rolcreatedb then 'CREATEDB' end, case when a.rolcreaterole then 'CREATEROLE' end,
        case when a.rolreplication then 'REPLICATION' end, case when a.rolbypassrls then 'BYPASSRLS' end]) attribute
where a.rolname = 'analyst' and attribute is not null
union all
select 'is a member of ' || m.roleid::regrole from pg_auth_members m where m.member = 'analyst'::regrole
union all
select 'may use the schema ' || n.nspname from pg_namespace n
where n.nspname !~ '^(pg_|information_schema$|analytics(_bounded)?$|_timescaledb_(functions|internal|catalog|config|cache)$)' and has_schema_privilege('analyst', n.oid, 'usage')
union all
select 'may create in the schema ' || n.nspname from pg_namespace n where has_schema_privilege('analyst', n.oid, 'create')
union all
select 'may create schemas or temporary tables' where has_database_privilege('analyst', current_database(), 'create, temporary')
union all
select 'may write ' || c.oid::regclass from pg_class c
where c.relkind in ('r', 'p', 'v', 'm', 'f') and has_table_privilege('analyst', c.oid, 'insert, update, delete, truncate')
union all
select 'may read ' || c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace
where (n.nspname in ('public', 'pgboss', 'pg_catalog') or n.nspname ~ '^_?timescaledb_') and c.relkind in ('r', 'p', 'v', 'm')
  and (n.nspname <> 'pg_catalog' or c.relname in ('pg_authid', 'pg_roles', 'pg_stat_activity', 'pg_settings', 'pg_locks'))
  and has_schema_privilege('analyst', n.oid, 'usage') and has_table_privilege('analyst', c.oid, 'select')
union all
select 'may write in ' || l.lanname from pg_language l where l.lanname = 'plpgsql' and has_language_privilege('analyst', l.oid, 'usage')
union all
select 'may call ' || p.oid::regprocedure from pg_proc p
where p.pronamespace = 'pg_catalog'::regnamespace
  and (p.proname ~ '^(pg_sleep|pg_(try_)?advisory|lo_|pg_read_|pg_ls_|pg_stat_get_activity)'
    or p.proname in ('set_config', 'pg_terminate_backend', 'pg_cancel_backend', 'pg_notify', 'query_to_xml'))
  and has_function_privilege('analyst', p.oid, 'execute')
order by excess
