-- The only way to rotate a valid key. Runs as its owner, so that the API can rotate the key of its caller but issue no other.

drop function if exists rotate_api_key(text, timestamptz, text, text, text, date, timestamptz, boolean);

create or replace function rotate_api_key(
  p_old text, p_old_expires_at timestamptz, p_id text, p_sha256 text, p_hint text, p_now timestamptz, p_once boolean
) returns timestamptz
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_old api_keys;
begin
  update api_keys set expires_at = least(expires_at, p_old_expires_at)
  where id = p_old and revoked_at is null and (expires_at is null or (expires_at > p_now and not p_once))
  returning * into v_old;
  if not found then return null; end if;
  insert into api_keys
    (id, sha256, hint, plan, owner, email, requests_per_minute, requests_per_month, attribution, created_at, rotated_from)
  values (
    p_id, p_sha256, p_hint, v_old.plan, v_old.owner, v_old.email, v_old.requests_per_minute, v_old.requests_per_month, v_old.attribution,
    p_now, p_old
  );
  update key_version set version = version + 1;
  perform record_key_change('key.rotated', p_old, jsonb_build_object('by', p_hint, 'valid_until', to_char(v_old.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')), p_now);
  return v_old.expires_at;
end $$;
comment on function rotate_api_key(text, timestamptz, text, text, text, timestamptz, boolean) is
  'Replaces a valid key by a new one of the same holder and returns until when the old one stays valid; null if it is not valid or, with p_once, is replaced already.';
