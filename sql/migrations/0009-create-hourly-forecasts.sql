-- Forecasts of hours by zone: a ledger of their own, the prices that followed, replays, shapes of the quarter-hours, and the outcome of
-- the last run. A row is a day of a zone, its hours are arrays: a day of every zone is then eight rows instead of two hundred.

create table hourly_forecasts (
  chain text not null check (chain in ('issued', 'sample')),
  sequence bigint not null check (sequence > 0),
  zone text not null,
  role text not null check (role in ('published', 'benchmark')),
  issue text not null check (issue in ('pre-auction', 'midday', 'evening')),
  model text not null check (model ~ '^[a-z0-9][a-z0-9._-]*$'),
  version text not null check (version ~ '^[A-Za-z0-9][A-Za-z0-9._+-]*$'),
  inputs text not null check (inputs in ('everything', 'without-neighbours', 'usual-weather', 'without-weather', 'prices-only')),
  issued_at timestamptz not null,
  info_date date not null,
  target_date date not null,
  horizon_days smallint not null,
  p10 double precision[] not null,
  p50 double precision[] not null,
  p90 double precision[] not null,
  inputs_sha256 text not null check (inputs_sha256 ~ '^[0-9a-f]{64}$'),
  previous_hash text not null check (previous_hash ~ '^[0-9a-f]{64}$'),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  primary key (chain, sequence, issued_at),
  constraint hourly_forecasts_before_their_day check (issued_at < target_date::timestamp at time zone 'Europe/Rome'),
  constraint hourly_forecasts_horizon check (horizon_days = target_date - info_date and horizon_days > 0)
);
comment on table hourly_forecasts is
  'Every forecast of hours that was issued, append-only. Written only by issue_hourly_forecasts, which makes the chain. Update, delete and truncate are refused; only the chain of sample data may be deleted.';
comment on column hourly_forecasts.chain is 'issued: from publishers'' prices; sample: from synthetic ones. Chains apart from those of the daily forecasts.';
comment on column hourly_forecasts.sequence is 'Position in the chain, from 1, without gaps.';
comment on column hourly_forecasts.zone is 'nazionale is the PUN.';
comment on column hourly_forecasts.role is 'published: the forecast in answers; benchmark: the naive forecast it is compared with.';
comment on column hourly_forecasts.issue is 'pre-auction: from 11:15 of the day before; midday: after the publication of the day before; evening: with the gas prices of that day.';
comment on column hourly_forecasts.version is 'Version of the model''s method and of its trained state.';
comment on column hourly_forecasts.inputs is 'What was known of the day besides prices and gas; everything: load, wind, solar and neighbouring markets.';
comment on column hourly_forecasts.info_date is 'Last market day whose price was known.';
comment on column hourly_forecasts.horizon_days is 'target_date - info_date, in calendar days.';
comment on column hourly_forecasts.p50 is 'Median forecast of each of the 23, 24 or 25 hours by elapsed time, €/MWh, 4 decimals; p10 and p90 bound the 80 % interval.';
comment on column hourly_forecasts.inputs_sha256 is 'SHA-256 of everything that the model read.';
comment on column hourly_forecasts.previous_hash is 'hash of the previous row in the chain; 64 zeros in the first row.';

select create_hypertable('hourly_forecasts', by_range('issued_at', interval '1 year'), create_default_indexes => false);

create index hourly_forecasts_by_issue on hourly_forecasts (chain, zone, role, info_date desc, issued_at desc);
create index hourly_forecasts_by_target on hourly_forecasts (chain, zone, role, target_date, horizon_days);

create trigger hourly_forecasts_append_only before update on hourly_forecasts for each row execute function refuse_change();
create trigger hourly_forecasts_undeletable before delete on hourly_forecasts
  for each row when (old.chain = 'issued') execute function refuse_change();
create trigger hourly_forecasts_keep before truncate on hourly_forecasts for each statement execute function refuse_change();
create trigger hourly_forecasts_sample before insert on hourly_forecasts
  for each row when (new.chain = 'sample') execute function refuse_sample_data();
create trigger hourly_forecasts_version after insert or delete on hourly_forecasts for each statement execute function raise_table_version();

create table hourly_forecast_actuals (
  chain text not null check (chain in ('issued', 'sample')),
  zone text not null,
  target_date date not null,
  actual double precision[] not null,
  source text not null,
  observed_at timestamptz not null,
  scored_at timestamptz not null,
  primary key (chain, zone, target_date)
);
comment on table hourly_forecast_actuals is
  'Hours of each whole day of a zone for which forecasts were issued, append-only. Written only by score_hourly_forecasts.';
comment on column hourly_forecast_actuals.actual is 'Each of the day''s hours by elapsed time, €/MWh, in the revision known at scored_at.';

create trigger hourly_forecast_actuals_append_only before update on hourly_forecast_actuals for each row execute function refuse_change();
create trigger hourly_forecast_actuals_undeletable before delete on hourly_forecast_actuals
  for each row when (old.chain = 'issued') execute function refuse_change();
create trigger hourly_forecast_actuals_keep before truncate on hourly_forecast_actuals for each statement execute function refuse_change();
create trigger hourly_forecast_actuals_sample before insert on hourly_forecast_actuals
  for each row when (new.chain = 'sample') execute function refuse_sample_data();
create trigger hourly_forecast_actuals_version after insert or delete on hourly_forecast_actuals for each statement execute function raise_table_version();

-- forecast_replays names them by 'hours:' and the zone.
create table replayed_hourly_forecasts (
  replay_id bigint not null references forecast_replays on delete cascade,
  role text not null check (role in ('published', 'benchmark')),
  issue text not null check (issue in ('pre-auction', 'midday', 'evening')),
  model text not null,
  inputs text not null check (inputs in ('everything', 'without-neighbours', 'usual-weather', 'without-weather', 'prices-only')),
  issued_at timestamptz not null,
  info_date date not null,
  target_date date not null,
  horizon_days smallint not null,
  p10 double precision[] not null,
  p50 double precision[] not null,
  p90 double precision[] not null,
  actual double precision[],
  version text,
  primary key (replay_id, role, model, inputs, issued_at, target_date),
  constraint replayed_hourly_forecasts_horizon check (horizon_days = target_date - info_date and horizon_days > 0)
);
comment on table replayed_hourly_forecasts is 'Hours as the models would have forecast them with the data known then.';
comment on column replayed_hourly_forecasts.version is 'Version of the model''s method and of its trained state; null in replays requested before it was kept.';
comment on column replayed_hourly_forecasts.issued_at is 'The instant as of which it was made; when it was made: forecast_replays.made_at.';

create table quarter_shapes (
  zone text not null,
  synthetic boolean not null,
  learned_to date not null,
  days integer not null check (days > 0),
  slopes double precision[] not null check (cardinality(slopes) = 4),
  offsets double precision[] not null check (cardinality(offsets) = 96),
  learned_at timestamptz not null,
  primary key (zone, synthetic, learned_to)
);
comment on table quarter_shapes is 'How quarter-hours lie about the mean of their hour: offsets[q] + slopes[1 + (q - 1) % 4] * (next hour - previous hour) / 2, q from 1 by clock time.';
comment on column quarter_shapes.learned_to is 'Last market day with quarter-hours it was learned from; days: how many there were.';
create trigger quarter_shapes_sample before insert on quarter_shapes
  for each row when (new.synthetic) execute function refuse_sample_data();

create table forecast_drift (
  subject text primary key,
  since timestamptz not null
);
comment on table forecast_drift is 'Active models that have become worse than their test promised; a row goes when that is over.';
comment on column forecast_drift.subject is 'PUN, PSV, TTF, or ''hours:'' and a zone.';

create table hourly_forecast_status (
  zone text primary key references zones on delete cascade,
  outcome text not null check (outcome in ('issued', 'too_little_history', 'history_ended')),
  detail text not null,
  days_known integer not null,
  checked_at timestamptz not null
);
comment on table hourly_forecast_status is 'Outcome of the last attempt to issue the hours of each zone.';
comment on column hourly_forecast_status.days_known is 'Number of days of prices at that time: a rejection applies until the number changes.';
