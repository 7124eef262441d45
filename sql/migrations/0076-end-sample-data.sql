-- When invented values gave way to publishers'. sql/objects/sample_data.sql is the rule; what is derived from prices is refused here.

create table sample_data (
  singleton boolean primary key default true check (singleton),
  ended_at timestamptz,
  removed_prices bigint,
  check ((ended_at is null) = (removed_prices is null))
);
comment on table sample_data is 'Whether synthetic values may be stored: never again once one of a publisher is.';
comment on column sample_data.ended_at is 'When the first price or offer of a publisher was stored; null before that.';
comment on column sample_data.removed_prices is 'How many synthetic prices were there then.';
insert into sample_data default values;

-- What was computed from sample values and is stored after they were removed. Whoever computed it fails, and looks again.
create function refuse_sample_data() returns trigger language plpgsql as $$
begin
  perform hold_sample_data();
  return new;
end $$;
comment on function refuse_sample_data() is 'Trigger of tables whose rows may be made from synthetic values.';

create function are_synthetic(p_sources text[]) returns boolean language sql stable parallel safe as $$
  select exists (select from sources where id = any (p_sources) and synthetic)
$$;
comment on function are_synthetic(text[]) is 'Whether any of the publishers is the synthetic one.';

create trigger forecasts_sample before insert on forecasts
  for each row when (new.chain = 'sample') execute function refuse_sample_data();
create trigger forecast_actuals_sample before insert on forecast_actuals
  for each row when (new.chain = 'sample') execute function refuse_sample_data();
create trigger forecast_artefacts_sample before insert on forecast_artefacts
  for each row when (new.synthetic) execute function refuse_sample_data();
create trigger forecast_promotions_sample before insert on forecast_promotions
  for each row when (new.synthetic) execute function refuse_sample_data();
create trigger forecast_replays_sample before insert on forecast_replays
  for each row when (new.synthetic) execute function refuse_sample_data();
create trigger offer_index_days_sample before insert on offer_index_days
  for each row when (are_synthetic(new.sources || new.reference_sources)) execute function refuse_sample_data();
create trigger bulk_files_sample before insert on bulk_files
  for each row when (are_synthetic(new.sources)) execute function refuse_sample_data();
