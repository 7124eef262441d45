-- Tables, continuous aggregates and views of the catalogue, one row each, in order of name. Those of the schema analytics follow those of
-- public, with its name. Excludes the migrations' own tables and objects of extensions. Indexes of constraints are listed with them.
with aggregates as (
  select format('%I.%I', materialization_hypertable_schema, materialization_hypertable_name)::regclass as rows_in,
         view_name, materialized_only, view_definition
  from timescaledb_information.continuous_aggregates
  where view_schema = 'public'
)
select
  case when c.relnamespace = 'public'::regnamespace then c.relname::text else 'analytics.' || c.relname end as name,
  case when a.view_name is not null then 'continuous aggregate' when c.relkind = 'v' then 'view'
       when c.relpersistence = 'u' then 'unlogged table' else 'table' end as kind,
  obj_description(c.oid, 'pg_class') as comment,
  coalesce(a.view_definition, case when c.relkind = 'v' then pg_get_viewdef(c.oid) end) as definition,
  a.materialized_only,
  (
    select format('by_range(%L, interval %L)', d.column_name, d.time_interval)
    from timescaledb_information.dimensions d
    where d.hypertable_schema = 'public' and d.hypertable_name = c.relname
  ) as partitioning,
  (
    select json_agg(json_build_object(
      'name', t.attname,
      'type', format_type(t.atttypid, t.atttypmod),
      'nullable', not t.attnotnull,
      'default', pg_get_expr(e.adbin, e.adrelid),
      'identity', t.attidentity <> '',
      'comment', col_description(c.oid, t.attnum)
    ) order by t.attnum)
    from pg_attribute t left join pg_attrdef e on e.adrelid = t.attrelid and e.adnum = t.attnum
    where t.attrelid = c.oid and t.attnum > 0 and not t.attisdropped
  ) as columns,
  array(
    select format('constraint %I %s', k.conname, pg_get_constraintdef(k.oid))
    from pg_constraint k
    where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c')
    order by array_position('{p,u,f,c}'::text[], k.contype::text), k.conname
  ) as constraints,
  array(
    select regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', 'using ')
    from pg_index i
    where i.indrelid = coalesce(a.rows_in, c.oid) and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
    order by 1
  ) as indexes
from pg_class c
left join aggregates a on a.view_name = c.relname
where c.relnamespace in ('public'::regnamespace, 'analytics'::regnamespace) and c.relkind in ('r', 'v')
  and c.relname not in ('kysely_migration', 'kysely_migration_lock', 'applied_objects')
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
order by c.relnamespace <> 'public'::regnamespace, c.relname
