-- A rotated key is a new key of the same holder. Whatever belongs to the holder references the first key of the chain.
create or replace function api_key_root(p_key text) returns text
language sql stable strict parallel safe as $$
  with recursive chain as (
    select id, rotated_from, 1 as depth from api_keys where id = p_key
    union all
    select k.id, k.rotated_from, c.depth + 1 from chain c join api_keys k on k.id = c.rotated_from where c.depth < 1000
  )
  select id from chain order by depth desc limit 1
$$;
comment on function api_key_root(text) is 'The first key of the chain of rotations that the key belongs to; null where there is no such key.';

-- These functions run as their owner because the worker may not read keys.
create or replace function api_key_of_root(p_root text, p_now timestamptz) returns text
language sql stable strict parallel safe security definer set search_path = pg_catalog, public, pg_temp as $$
  with recursive chain as (
    select id, email, created_at, expires_at, revoked_at, 1 as depth from api_keys where id = p_root
    union all
    select k.id, k.email, k.created_at, k.expires_at, k.revoked_at, c.depth + 1
    from chain c join api_keys k on k.rotated_from = c.id where c.depth < 1000
  )
  select id from chain
  where revoked_at is null and (expires_at is null or expires_at > p_now)
  order by depth desc, id
  limit 1
$$;
comment on function api_key_of_root(text, timestamptz) is 'The newest key of a chain that is valid at the instant; null where its holder has none left.';

create or replace function api_key_email_of_root(p_root text, p_now timestamptz) returns text
language sql stable strict parallel safe security definer set search_path = pg_catalog, public, pg_temp as $$
  select email from api_keys where id = api_key_of_root(p_root, p_now)
$$;
comment on function api_key_email_of_root(text, timestamptz) is
  'Address of the holder of that key; null where there is no such key or it has no address.';

-- Runs as its owner because the API, which rotates keys and counts their requests, may not write changes.
create or replace function record_key_change(p_kind text, p_key text, p_details jsonb, p_at timestamptz) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  select record_changes(
    jsonb_build_array(jsonb_build_object(
      'kind', p_kind, 'dataset', 'keys', 'key_root', api_key_root(k.id), 'details', jsonb_build_object('key', k.hint) || p_details
    )),
    false, p_at
  )
  from api_keys k where k.id = p_key
$$;
comment on function record_key_change(text, text, jsonb, timestamptz) is 'Records what only the holder of the key sees.';

-- Called when a process first sees a key's use above a threshold. Refunds can make a key cross it more than once.
create or replace function record_quota_reached(p_key text, p_month date, p_percent integer, p_quota bigint, p_at timestamptz) returns void
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_details jsonb := jsonb_build_object('month', to_char(p_month, 'YYYY-MM'), 'percent', p_percent, 'quota', p_quota);
begin
  perform pg_advisory_xact_lock(hashtext('quota of ' || p_key));
  if not exists (
    select from changes c
    where c.key_root = p_key and c.kind = 'quota.reached' and c.details @> (v_details - 'quota')
  ) then
    perform record_key_change('quota.reached', coalesce(api_key_of_root(p_key, p_at), p_key), v_details, p_at);
  end if;
end $$;
comment on function record_quota_reached(text, date, integer, bigint, timestamptz) is
  'Records once for a holder, named by the first key, and a month that so many percent of the quota are used.';
