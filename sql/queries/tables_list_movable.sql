-- Tables of the schema public that hold contents, with their columns (except generated ones), primary key, identity column and the
-- tables they reference. Excludes the migrations' own tables, unlogged tables, those of extensions, counters of changes, and bulk
-- files, which are stored outside the database and exported again every night. No parameters.
select
  c.relname as name,
  (
    select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
    from pg_attribute as a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  ) as columns,
  (
    select coalesce(array_agg(a.attname::text order by a.attnum), '{}')
    from pg_index as i
    join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indrelid = c.oid and i.indisprimary
  ) as key,
  (select a.attname::text from pg_attribute as a where a.attrelid = c.oid and a.attidentity <> '') as identity,
  (
    select coalesce(array_agg(distinct f.confrelid::regclass::text), '{}')
    from pg_constraint as f
    where f.conrelid = c.oid and f.contype = 'f'
  ) as references
from pg_class as c
where c.relnamespace = 'public'::regnamespace
  and c.relkind in ('r', 'p')
  and c.relpersistence = 'p'
  and c.relname not in (
    'kysely_migration', 'kysely_migration_lock', 'applied_objects', 'table_versions', 'bulk_files', 'bulk_exports', 'lake_files',
    'lake_snapshots', 'export_orders'
  )
  and not exists (select from pg_depend as d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
order by c.relname
