-- Locks out other sessions that update a table's row in the catalogue, such as new chunks, `analyze` and autovacuum; readers and writers
-- continue. Fails instead of waiting for a lock, since other sessions may be waiting for it; the command then starts again.

do $$
declare
  v_table regclass;
begin
  for v_table in
    select oid::regclass from pg_class
    where relnamespace::regnamespace::text in ('public', 'pgboss', '_timescaledb_internal') and relkind in ('r', 'p')
      and pg_has_role(relowner, 'usage')
    order by oid
  loop
    execute format('lock table only %s in share update exclusive mode nowait', v_table);
  end loop;
end $$;
