-- Keeps away whoever else changes a table's row in the catalogue, as a new chunk, `analyze` and autovacuum do; readers and writers go on.
-- Nobody is waited for while others may wait for us: the application begins again instead.

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
