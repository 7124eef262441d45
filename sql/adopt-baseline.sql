-- Adopts a database created by the 25 migrations before version 0.9.0, ending with 0030-change-webhooks. The baseline that replaced
-- them creates the same tables. Constraints that are still named after alerts are renamed, and the list of migrations is rewritten.
-- Run by `npm run db:migrate` and at every start if that last migration is listed; a database with fewer of them is refused.

do $$
begin
  lock table kysely_migration in access exclusive mode;
  if not exists (select from kysely_migration where name = '0030-change-webhooks') then
    return; -- another process was first
  end if;

  alter table webhooks rename constraint webhooks_check to webhooks_check3;
  alter table webhooks rename constraint alerts_check1 to webhooks_check2;
  alter table webhooks rename constraint alerts_check to webhooks_check1;
  alter table webhooks rename constraint webhooks_url_check to webhooks_check;
  alter table webhooks rename constraint alerts_asset_check to webhooks_asset_check;
  alter table webhooks rename constraint alerts_condition_check to webhooks_condition_check;
  alter table webhooks rename constraint alerts_consecutive_failures_check to webhooks_consecutive_failures_check;
  alter table webhooks rename constraint alerts_key_root_fkey to webhooks_key_root_fkey;
  alter table webhooks rename constraint alerts_status_check to webhooks_status_check;
  alter table webhooks rename constraint alerts_suspended_because_check to webhooks_suspended_because_check;
  alter table webhooks rename constraint alerts_threshold_check to webhooks_threshold_check;
  alter table webhooks rename constraint alerts_verification_check to webhooks_verification_check;
  alter table webhook_events rename constraint webhook_events_check to webhook_events_check2;
  alter table webhook_events rename constraint alert_events_check1 to webhook_events_check1;
  alter table webhook_events rename constraint alert_events_check to webhook_events_check;
  alter table webhook_deliveries rename constraint alert_deliveries_check to webhook_deliveries_check;
  alter table webhook_deliveries rename constraint alert_deliveries_check1 to webhook_deliveries_check1;
  alter table webhook_deliveries rename constraint alert_deliveries_request_id_check to webhook_deliveries_request_id_check;
  alter table webhook_deliveries rename constraint alert_deliveries_status_check to webhook_deliveries_status_check;
  alter table webhook_attempts rename constraint alert_attempts_delivery_id_fkey to webhook_attempts_delivery_id_fkey;
  alter table webhook_attempts rename constraint alert_attempts_duration_ms_check to webhook_attempts_duration_ms_check;
  alter table webhook_attempts rename constraint alert_attempts_number_check to webhook_attempts_number_check;
  alter table webhook_attempts rename constraint alert_attempts_outcome_check to webhook_attempts_outcome_check;

  delete from kysely_migration;
  insert into kysely_migration (name, timestamp)
  select name, now()::text
  from unnest(array[
    '0001-create-reference-data', '0002-create-data-versions', '0003-create-documents-and-sources', '0004-create-prices',
    '0005-create-price-aggregates', '0006-create-keys-and-limits', '0007-create-offers', '0008-create-forecasts',
    '0009-create-hourly-forecasts', '0010-create-fundamentals', '0011-create-changes', '0012-create-webhooks-and-mail',
    '0013-create-files', '0014-create-analytics-schemas'
  ]) as name;
end $$;
