-- Self-service Developer keys. The functions run as their owner: the API may neither write emails nor issue other kinds of keys.

create or replace function request_developer_key(
  p_email text, p_holder text, p_subject text, p_body text, p_expires_at timestamptz, p_now timestamptz
) returns void
language sql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
  with request as (
    insert into key_requests (email, holder, created_at, expires_at) values (p_email, p_holder, p_now, p_expires_at)
    returning id
  )
  insert into emails (kind, subject_id, recipient, subject, body, status, created_at, next_attempt_at)
  select 'key_confirmation', id::text, p_email, p_subject, p_body, 'pending', p_now, p_now from request
$$;
comment on function request_developer_key(text, text, text, text, timestamptz, timestamptz) is
  'Records a request and its mail, whether or not the holder has a key: the two cases look the same.';

drop function if exists confirm_developer_key(text, text, text, text, date, timestamptz);

-- A lost key is replaced by a successor in the same chain, which inherits its use; otherwise replacing a key would renew the quota.
create or replace function confirm_developer_key(
  p_token_sha256 text, p_key_id text, p_key_sha256 text, p_hint text, p_now timestamptz
) returns text
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  request key_requests;
  v_root text;
  v_previous text;
begin
  update key_requests set used_at = p_now
  where token_sha256 = p_token_sha256 and used_at is null and expires_at > p_now
  returning * into request;
  if not found then return null; end if;
  perform pg_advisory_xact_lock(hashtext('developer key of ' || request.holder));
  update key_requests set used_at = p_now where holder = request.holder and used_at is null;

  select key_root into v_root from developer_key_holders where holder = request.holder;
  if v_root is not null then
    with recursive chain as (
      select id, 1 as depth from api_keys where id = v_root
      union all
      select k.id, c.depth + 1 from chain c join api_keys k on k.rotated_from = c.id where c.depth < 1000
    ),
    revoked as (
      update api_keys set revoked_at = p_now
      where id in (select id from chain) and revoked_at is null and (expires_at is null or expires_at > p_now)
    )
    select id into v_previous from chain order by depth desc, id limit 1;
  end if;

  insert into api_keys (id, sha256, hint, plan, owner, email, created_at, rotated_from)
  values (p_key_id, p_key_sha256, p_hint, 'Developer', 'self-service', request.email, p_now, v_previous);
  insert into developer_key_holders (holder, key_root) values (request.holder, p_key_id) on conflict (holder) do nothing;
  update key_version set version = version + 1;
  if v_previous is not null then perform record_key_change('key.rotated', v_previous, jsonb_build_object('by', p_hint), p_now); end if;
  return case when v_previous is null then 'issued' else 'replaced' end;
end $$;
comment on function confirm_developer_key(text, text, text, text, timestamptz) is
  'Consumes a token and issues a Developer key to its holder, which replaces any before; null if the token is not valid.';
