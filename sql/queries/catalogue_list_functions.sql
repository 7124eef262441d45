-- Functions of our own in order of their signatures, a row each.
select
  p.oid::regprocedure::text as signature,
  pg_get_functiondef(p.oid) as definition,
  obj_description(p.oid, 'pg_proc') as comment
from pg_proc p
where p.pronamespace = 'public'::regnamespace
  and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
order by p.oid::regprocedure::text collate "C"
