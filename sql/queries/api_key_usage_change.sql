-- Reserves requests of keys in a month, within each quota, or refunds some; returns the granted requests and the new totals.
-- Unknown keys are granted everything, and nothing is stored. A row just inserted by another process is neither changed nor returned.
-- $1 keys   $2 months   $3 requests, negative to refund   $4 quotas, null where there is none   index: api_key_usage_pkey
with wanted as (
  select w.key_id, w.month, w.requests, w.quota, k.id is not null as is_key
  from unnest($1::text[], $2::date[], $3::bigint[], $4::bigint[]) as w (key_id, month, requests, quota)
  left join api_keys k on k.id = w.key_id
),
opened as (
  insert into api_key_usage (key_id, month, requests)
  select key_id, month, greatest(0, least(requests, quota)) from wanted where is_key order by key_id, month
  on conflict do nothing
  returning key_id, month, requests as granted, requests as total
),
locked as (
  select
    u.key_id, u.month, u.requests as before,
    case
      when w.requests > 0 then greatest(u.requests, least(u.requests + w.requests, w.quota))
      else greatest(0, u.requests + w.requests)
    end as after
  from api_key_usage u join wanted w on w.key_id = u.key_id and w.month = u.month
  order by u.key_id, u.month
  for update of u
),
changed as (
  update api_key_usage u set requests = l.after
  from locked l where u.key_id = l.key_id and u.month = l.month
  returning u.key_id, u.month, l.after - l.before as granted, l.after as total
)
select key_id as "keyId", month, granted, total from opened
union all
select key_id, month, granted, total from changed
union all
select key_id, month, requests, 0 from wanted where not is_key
