-- Replays are answered beside issued forecasts, so each says which version of the model made it. Those made for the track record before this
-- are removed: the next issue makes them again.

delete from forecast_replays where purpose = 'accuracy';
alter table replayed_forecasts add column version text;
alter table replayed_hourly_forecasts add column version text;
comment on column replayed_forecasts.version is 'Version of the model''s method and of its trained state; null in replays requested before it was kept.';
comment on column replayed_hourly_forecasts.version is 'Version of the model''s method and of its trained state; null in replays requested before it was kept.';

-- Created again with more columns (sql/objects/forecast_scores.sql).
drop function if exists replay_records(text, text, date, date, integer);
