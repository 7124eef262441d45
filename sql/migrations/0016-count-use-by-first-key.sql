-- The use of a month belongs to the first key of a chain of rotations, where successors had a row of their own that continued it.

with recursive chain as (
  select id, id as root from api_keys where rotated_from is null
  union all
  select k.id, c.root from chain c join api_keys k on k.rotated_from = c.id
)
insert into api_key_usage (key_id, month, requests)
select c.root, u.month, max(u.requests) from api_key_usage u join chain c on c.id = u.key_id
group by c.root, u.month
on conflict (key_id, month) do update set requests = excluded.requests;

delete from api_key_usage u using api_keys k where k.id = u.key_id and k.rotated_from is not null;

comment on column api_key_usage.key_id is 'The first key of its chain of rotations: the use is the holder''s.';
