-- Privileges of each role on the objects of the project. The default privileges cover objects that later migrations of this owner create.

-- Only the owner of a continuous aggregate may refresh it. Owners are changed first: this waits for readers, and up to here no session
-- waits for this transaction.
do $$
declare
  v_aggregate name;
begin
  for v_aggregate in
    select distinct c.relname
    from pg_class c
    join pg_rewrite r on r.ev_class = c.oid
    join pg_depend d on d.objid = r.oid
    join pg_class rows_in on rows_in.oid = d.refobjid
    join pg_namespace n on n.oid = rows_in.relnamespace and n.nspname = '_timescaledb_internal'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' and c.relowner <> 'energy_worker'::regrole
  loop
    execute format('alter materialized view %I owner to energy_worker', v_aggregate);
  end loop;
exception when insufficient_privilege then
  raise warning 'the aggregates stay with their owner, as whom the worker must log in: %', sqlerrm;
end $$;

-- Likewise, only the owner of a hypertable may compress its chunks.
do $$
declare
  v_table name;
begin
  if to_regclass('timescaledb_information.hypertables') is null then return; end if;
  for v_table in
    execute $query$
      select hypertable_name from timescaledb_information.hypertables
      where hypertable_schema = 'public' and compression_enabled and owner <> 'energy_worker'
    $query$
  loop
    execute format('alter table %I owner to energy_worker', v_table);
  end loop;
exception when insufficient_privilege then
  raise warning 'compressed tables stay with their owner, as whom the worker must log in: %', sqlerrm;
end $$;

grant usage on schema analytics, analytics_bounded to analyst;
grant select on all tables in schema analytics to analyst;
alter default privileges in schema analytics grant select on tables to analyst;

grant select on all tables in schema public to energy_api, energy_worker;
alter default privileges in schema public grant select on tables to energy_api;
alter default privileges in schema public grant select, insert, update, delete on tables to energy_worker;

-- The API writes counters, webhooks and export orders.
grant insert, update, delete on rate_limits to energy_api;
grant insert, update on api_key_usage to energy_api;
grant insert, update, delete on webhooks to energy_api;
grant insert on webhook_events to energy_api;
grant insert, update on webhook_deliveries to energy_api;
grant insert, delete on export_orders to energy_api;

-- The worker writes everything except keys, their use and rate limits.
grant insert, update, delete on all tables in schema public to energy_worker;
revoke all on api_keys, api_key_usage, rate_limits from energy_worker;
revoke insert, update, delete on key_version from energy_worker;

-- Forecasts and their actual prices cannot be changed, even before any trigger fires.
revoke update, delete on forecasts, forecast_actuals, hourly_forecasts, hourly_forecast_actuals from energy_worker;

-- Sample data are deleted as a whole, including those in the ledger.
revoke execute on function remove_sample_data() from public;
grant execute on function remove_sample_data() to energy_worker;

-- Temporary tables are used to compare incoming lists of offers with the stored ones.
do $$
begin
  execute format('grant temporary on database %I to energy_worker', current_database());
end $$;

-- All that the worker may read of keys: the valid key of a rotation chain, and the address of its holder.
revoke execute on function api_key_root(text), api_key_of_root(text, timestamptz), api_key_email_of_root(text, timestamptz) from public;
grant execute on function api_key_root(text) to energy_api;
grant execute on function api_key_of_root(text, timestamptz), api_key_email_of_root(text, timestamptz) to energy_worker;

-- The API records when a holder reaches a share of the quota.
revoke execute on function
  record_key_change(text, text, jsonb, timestamptz), record_quota_reached(text, date, integer, bigint, timestamptz) from public;
grant execute on function record_quota_reached(text, date, integer, bigint, timestamptz) to energy_api;

-- Only these functions issue keys to people who confirm an email address.
revoke execute on function
  request_developer_key(text, text, text, text, timestamptz, timestamptz),
  confirm_developer_key(text, text, text, text, timestamptz) from public;
grant execute on function
  request_developer_key(text, text, text, text, timestamptz, timestamptz),
  confirm_developer_key(text, text, text, text, timestamptz) to energy_api;
revoke all on developer_key_holders from energy_worker;

-- Holders rotate their own keys.
revoke execute on function rotate_api_key(text, timestamptz, text, text, text, timestamptz, boolean) from public;
grant execute on function rotate_api_key(text, timestamptz, text, text, text, timestamptz, boolean) to energy_api;

-- Collecting planner statistics, a privilege that can be granted from PostgreSQL 17 on.
do $$
begin
  if current_setting('server_version_num')::integer >= 170000 then
    execute 'grant maintain on all tables in schema public to energy_worker';
    execute 'alter default privileges in schema public grant maintain on tables to energy_worker';
  end if;
end $$;

-- pg-boss keeps the tables of its queues in a separate schema.
do $$
begin
  if exists (select from pg_namespace where nspname = 'pgboss') then
    grant usage on schema pgboss to energy_api, energy_worker;
    grant select, insert, update, delete on all tables in schema pgboss to energy_api, energy_worker;
    grant execute on all functions in schema pgboss to energy_api, energy_worker;
    alter default privileges in schema pgboss grant select, insert, update, delete on tables to energy_api, energy_worker;
  end if;
end $$;
