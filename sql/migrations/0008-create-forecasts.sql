-- Forecasts: the ledger of those issued, the prices that followed, trained models, replays, and the outcome of the last run.

-- The ledger: a chain of hashes reveals any later change. How to recompute a hash is documented at issue_forecasts
-- (sql/objects/forecast_issue.sql) and on the page /docs/methodology.

create table forecasts (
  chain text not null check (chain in ('issued', 'sample')),
  sequence bigint not null check (sequence > 0),
  asset text not null,
  role text not null check (role in ('published', 'benchmark')),
  model text not null check (model ~ '^[a-z0-9][a-z0-9._-]*$'),
  version text not null check (version ~ '^[A-Za-z0-9][A-Za-z0-9._+-]*$'),
  issued_at timestamptz not null,
  info_date date not null,
  target_date date not null,
  horizon_days smallint not null,
  p10 double precision not null check (p10 > '-infinity'),
  p50 double precision not null,
  p90 double precision not null check (p90 < 'infinity'),
  inputs_sha256 text not null check (inputs_sha256 ~ '^[0-9a-f]{64}$'),
  previous_hash text not null check (previous_hash ~ '^[0-9a-f]{64}$'),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  primary key (chain, sequence, issued_at),
  constraint forecasts_before_their_day check (issued_at < target_date::timestamp at time zone 'Europe/Rome'),
  constraint forecasts_horizon check (horizon_days = target_date - info_date and horizon_days > 0),
  constraint forecasts_quantiles_in_order check (p10 <= p50 and p50 <= p90)
);
comment on table forecasts is
  'Every forecast that was issued, append-only. Written only by issue_forecasts, which makes the chain. Update, delete and truncate are refused; only the chain of sample data may be deleted.';
comment on column forecasts.chain is
  'issued: from publishers'' prices; sample: from synthetic ones. Two separate chains; neither is ever shown as the other.';
comment on column forecasts.sequence is 'Position in the chain, from 1, without gaps.';
comment on column forecasts.role is 'published: the forecast in answers; benchmark: the naive forecast it is compared with.';
comment on column forecasts.version is 'Version of the model''s method and of its trained state.';
comment on column forecasts.info_date is 'Last market day whose price was known; never later than the publications at issued_at.';
comment on column forecasts.horizon_days is 'target_date - info_date, in calendar days.';
comment on column forecasts.p50 is 'Median forecast in the asset''s native unit, 4 decimals; p10 and p90 bound the 80 % interval.';
comment on column forecasts.inputs_sha256 is 'SHA-256 of the prices that the model read.';
comment on column forecasts.previous_hash is 'hash of the previous row in the chain; 64 zeros in the first row.';

select create_hypertable('forecasts', by_range('issued_at', interval '1 year'), create_default_indexes => false);

create index forecasts_by_issue on forecasts (chain, asset, role, info_date desc, horizon_days);
create index forecasts_by_target on forecasts (chain, asset, role, target_date, horizon_days);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op) using errcode = 'insufficient_privilege';
end $$;
comment on function refuse_change() is 'Trigger of append-only tables.';

create trigger forecasts_append_only before update on forecasts for each row execute function refuse_change();
create trigger forecasts_undeletable before delete on forecasts
  for each row when (old.chain = 'issued') execute function refuse_change();
create trigger forecasts_keep before truncate on forecasts for each statement execute function refuse_change();
create trigger forecasts_sample before insert on forecasts
  for each row when (new.chain = 'sample') execute function refuse_sample_data();
create trigger forecasts_version after insert or delete on forecasts for each statement execute function raise_table_version();

-- The price as it was known when the forecasts of the day were first scored: a later correction changes no score.
create table forecast_actuals (
  chain text not null check (chain in ('issued', 'sample')),
  asset text not null,
  target_date date not null,
  actual double precision not null check (actual > '-infinity' and actual < 'infinity'),
  source text not null,
  observed_at timestamptz not null,
  scored_at timestamptz not null,
  primary key (chain, asset, target_date)
);
comment on table forecast_actuals is 'Price of each day for which forecasts were issued, append-only. Written only by score_forecasts.';
comment on column forecast_actuals.actual is 'In the asset''s native unit, in the revision known at scored_at.';

create trigger forecast_actuals_append_only before update on forecast_actuals for each row execute function refuse_change();
create trigger forecast_actuals_undeletable before delete on forecast_actuals
  for each row when (old.chain = 'issued') execute function refuse_change();
create trigger forecast_actuals_keep before truncate on forecast_actuals for each statement execute function refuse_change();
create trigger forecast_actuals_sample before insert on forecast_actuals
  for each row when (new.chain = 'sample') execute function refuse_sample_data();
create trigger forecast_actuals_version after insert or delete on forecast_actuals for each statement execute function raise_table_version();

create table forecast_artefacts (
  id bigint generated always as identity primary key,
  asset text not null,
  model text not null,
  version text not null,
  trained_at timestamptz not null,
  data_from date not null,
  data_to date not null,
  synthetic boolean not null,
  backend text not null,
  code_version text not null,
  metrics jsonb not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  content bytea not null,
  constraint forecast_artefacts_span check (data_from <= data_to)
);
comment on table forecast_artefacts is 'Trained and calibrated models, each complete: weights, scales, interval widths. The newest few of an asset are kept.';
comment on column forecast_artefacts.version is 'Of the method: artefacts of other versions are not read.';
comment on column forecast_artefacts.data_to is 'Last market day that was used.';
comment on column forecast_artefacts.synthetic is 'Trained on synthetic prices; never used to forecast publishers'' prices.';
comment on column forecast_artefacts.backend is 'The numerical backend it was trained with, such as wasm.';
comment on column forecast_artefacts.code_version is 'Version of the service that trained it.';
comment on column forecast_artefacts.metrics is 'Errors in the rolling test before it was stored.';
comment on column forecast_artefacts.sha256 is 'Of content; a damaged artefact is not read.';
create index forecast_artefacts_newest on forecast_artefacts (asset, synthetic, trained_at desc);
create trigger forecast_artefacts_sample before insert on forecast_artefacts
  for each row when (new.synthetic) execute function refuse_sample_data();

create table forecast_promotions (
  id bigint generated always as identity primary key,
  asset text not null,
  synthetic boolean not null,
  model text not null,
  artefact_id bigint references forecast_artefacts on delete set null,
  decided_at timestamptz not null,
  reason text not null,
  metrics jsonb not null
);
comment on table forecast_promotions is 'Model selection: the active model of each asset, since when, and why. The newest row applies; without one the base model is active.';
comment on column forecast_promotions.artefact_id is 'The promoted artefact; null for a model that needs none.';
comment on column forecast_promotions.metrics is 'Its errors and those of its baseline over the days on which both were tested.';
create index forecast_promotions_newest on forecast_promotions (asset, synthetic, decided_at desc);
create trigger forecast_promotions_sample before insert on forecast_promotions
  for each row when (new.synthetic) execute function refuse_sample_data();

create table forecast_trainings (
  asset text primary key,
  begun_at timestamptz not null,
  ended_at timestamptz,
  inputs_sha256 text not null check (inputs_sha256 ~ '^[0-9a-f]{64}$'),
  again_from_days integer not null check (again_from_days > 0)
);
comment on table forecast_trainings is 'The last training of each asset on publishers'' prices. Nothing is trained on synthetic ones.';
comment on column forecast_trainings.ended_at is 'Null while it runs, and if it did not finish.';
comment on column forecast_trainings.inputs_sha256 is 'Of the prices it was trained on: the same prices are not used twice.';
comment on column forecast_trainings.again_from_days is 'Number of days of prices from which it is retrained before the weekly date.';

-- Forecasts made afterwards as of past days. They prove nothing about when they were made, so they have separate tables, no chain,
-- and are never joined with issued ones.
create table forecast_replays (
  id bigint generated always as identity primary key,
  asset text not null,
  synthetic boolean not null,
  first_day date not null,
  last_day date not null,
  models text[] not null,
  purpose text not null check (purpose in ('accuracy', 'command')),
  code_version text not null,
  made_at timestamptz not null
);
comment on table forecast_replays is 'Runs that made forecasts as of past days.';
comment on column forecast_replays.purpose is 'accuracy: made by the service, shown until there is a track record; command: requested by an operator.';
comment on column forecast_replays.first_day is 'First market day of issue; last_day inclusive.';

create trigger forecast_replays_sample before insert on forecast_replays
  for each row when (new.synthetic) execute function refuse_sample_data();

create table replayed_forecasts (
  replay_id bigint not null references forecast_replays on delete cascade,
  role text not null check (role in ('published', 'benchmark')),
  model text not null,
  issued_at timestamptz not null,
  info_date date not null,
  target_date date not null,
  horizon_days smallint not null,
  p10 double precision not null,
  p50 double precision not null,
  p90 double precision not null,
  actual double precision,
  version text,
  primary key (replay_id, role, info_date, target_date),
  constraint replayed_forecasts_horizon check (horizon_days = target_date - info_date and horizon_days > 0),
  constraint replayed_forecasts_quantiles_in_order check (p10 <= p50 and p50 <= p90)
);
comment on table replayed_forecasts is 'What the models would have predicted with the data known then.';
comment on column replayed_forecasts.version is 'Version of the model''s method and of its trained state; null in replays requested before it was kept.';
comment on column replayed_forecasts.issued_at is 'The instant as of which it was made; when it was made: forecast_replays.made_at.';

-- An answer without a forecast says what is missing.
create table forecast_status (
  asset text primary key references assets on delete cascade,
  outcome text not null check (outcome in ('issued', 'too_little_history', 'history_ended')),
  detail text not null,
  days_known integer not null,
  checked_at timestamptz not null
);
comment on table forecast_status is 'Outcome of the last attempt to issue forecasts of each asset.';
comment on column forecast_status.outcome is 'issued; too_little_history: detail says how much is missing; history_ended: the last price is too old to start from.';
comment on column forecast_status.detail is 'One sentence for the answer.';
comment on column forecast_status.days_known is 'Number of days of prices at that time: a rejection applies until the number changes.';
