-- Locks out others that change a table's row in the catalogue, as a new chunk, `analyze` and autovacuum do; readers and writers continue.
-- It waits for nobody while others may wait for it: the command starts again instead.

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
