-- Functions and aggregates of the project, one row each, in order of signature.
select
  case when p.prokind = 'a' then 'aggregate' else 'function' end as kind,
  p.oid::regprocedure::text as signature,
  case when p.prokind <> 'a' then pg_get_functiondef(p.oid) else format(
    E'CREATE OR REPLACE AGGREGATE public.%s(%s)\n (sfunc = %s, stype = %s, initcond = %L, finalfunc = %s)',
    p.proname, pg_get_function_arguments(p.oid), a.aggtransfn, a.aggtranstype::regtype, a.agginitval, a.aggfinalfn
  ) end as definition,
  pg_get_function_identity_arguments(p.oid) as arguments,
  pg_get_function_result(p.oid) as result,
  obj_description(p.oid, 'pg_proc') as comment
from pg_proc p
left join pg_aggregate a on a.aggfnoid = p.oid
where p.pronamespace in ('public'::regnamespace, 'analytics'::regnamespace) and p.proname <> 'end_session' -- which comes with the roles
  and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
order by p.oid::regprocedure::text collate "C"
