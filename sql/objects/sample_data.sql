-- The only rule for sample data: synthetic values exist until the first price or offer of a publisher is stored. That transaction deletes
-- all of them, so no response mixes both kinds, and no track record of synthetic prices remains.

-- Called before sample values, or values derived from them, are stored. Its lock delays their removal until the commit.
create or replace function hold_sample_data() returns void language plpgsql as $$
begin
  perform from sample_data where ended_at is null for share;
  if not found then
    raise exception 'a publisher''s values are stored: sample data are no longer accepted' using errcode = 'object_not_in_prerequisite_state';
  end if;
end $$;
comment on function hold_sample_data() is 'Fails once values of a publisher are stored.';

-- Deletes from the continuous aggregates directly, since a refresh cannot run in a transaction; the next refresh reads the remaining
-- intervals. Runs as its owner because the role that stores prices may not change the ledger.
create or replace function remove_sample_data() returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp
-- Years of sample data may be compressed: more rows than a transaction may decompress by default.
set timescaledb.max_tuples_decompressed_per_dml_transaction = 0 as $$
declare
  v_sources text[] := array(select id from sources where synthetic);
  v_aggregate record;
  v_intervals bigint;
  v_days bigint;
begin
  if not exists (select from documents where source = any (v_sources)) then return 0; end if;
  -- Waits until alerts have been evaluated on sample prices.
  perform pg_advisory_xact_lock(hashtext('detect_alert_crossings'));

  delete from fundamental_revisions where source = any (v_sources);
  delete from fundamentals where source = any (v_sources);
  delete from price_interval_revisions where source = any (v_sources);
  delete from daily_price_revisions where source = any (v_sources);
  delete from price_intervals where source = any (v_sources);
  get diagnostics v_intervals = row_count;
  delete from daily_prices where source = any (v_sources);
  get diagnostics v_days = row_count;
  for v_aggregate in
    select format('%I.%I', a.materialization_hypertable_schema, a.materialization_hypertable_name) as rows,
           case a.view_name
             when 'zone_prices_yearly' then 'sources_first && $1 or sources_last && $1'
             else 'source_first = any ($1) or source_last = any ($1)'
           end as made_of_sample
    from timescaledb_information.continuous_aggregates a
    where a.view_schema = 'public'
  loop
    execute format('delete from %s where %s', v_aggregate.rows, v_aggregate.made_of_sample) using v_sources;
  end loop;

  delete from offers where source = any (v_sources);
  delete from offer_revisions where source = any (v_sources);
  delete from offer_days where source = any (v_sources);
  delete from offer_index_inputs i
  where exists (
    select from offer_index_days d
    where d.day = i.day and d.commodity = i.commodity and (d.sources || d.reference_sources) && v_sources
  );
  delete from offer_index_days where (sources || reference_sources) && v_sources;

  delete from forecasts where chain = 'sample';
  delete from forecast_actuals where chain = 'sample';
  delete from hourly_forecasts where chain = 'sample';
  delete from hourly_forecast_actuals where chain = 'sample';
  delete from quarter_shapes where synthetic;
  delete from forecast_replays where synthetic;
  delete from forecast_promotions where synthetic;
  delete from forecast_artefacts where synthetic;
  delete from forecast_status;
  delete from hourly_forecast_status;

  -- Alerts remain; their first real day counts as their first day.
  delete from webhook_deliveries d using webhook_events e
  where e.id = d.event_id and (e.kind = 'triggered' or (e.change ->> 'synthetic')::boolean);
  delete from webhook_events where kind = 'triggered' or (change ->> 'synthetic')::boolean;
  delete from alert_first_days;
  delete from alert_days;

  delete from bulk_files where sources && v_sources;
  delete from bulk_exports;
  delete from export_orders where sources && v_sources;
  delete from lake_files where sources && v_sources;
  delete from lake_snapshots s where not exists (select from lake_files f where f.dataset = s.dataset);
  delete from documents where source = any (v_sources);
  update data_version set version = version + 1;
  delete from changes where synthetic;
  perform record_changes('[{"kind": "dataset.reset"}]', false, now());
  return v_intervals + v_days;
end $$;
comment on function remove_sample_data() is 'Removes every synthetic value and everything derived from them; returns the number of prices removed.';

-- Called first by every function that stores prices or offers.
create or replace function admit_source(p_source text, p_at timestamptz) returns void language plpgsql as $$
begin
  if (select synthetic from sources where id = p_source) then
    perform hold_sample_data();
  elsif (select ended_at is null from sample_data) then
    -- If two publishers are first at the same time, the second waits and finds nothing to do.
    perform from sample_data where ended_at is null for update;
    if found then
      update sample_data set ended_at = p_at, removed_prices = remove_sample_data();
    end if;
  end if;
end $$;
comment on function admit_source(text, timestamptz) is 'Ends the sample data with the first value of a publisher, and refuses them from then on.';
