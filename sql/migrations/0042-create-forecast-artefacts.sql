-- What training left behind, and which of it speaks.

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
comment on table forecast_artefacts is 'Trained and calibrated models, each whole: weights, scalings, widths. The newest few of an asset are kept.';
comment on column forecast_artefacts.version is 'Of the method: an artefact of another version is not read.';
comment on column forecast_artefacts.data_to is 'Last market day that was used.';
comment on column forecast_artefacts.synthetic is 'Trained on synthetic prices; never speaks about publishers'' prices.';
comment on column forecast_artefacts.backend is 'The numerical backend it was trained with, such as wasm.';
comment on column forecast_artefacts.code_version is 'Version of the service that trained it.';
comment on column forecast_artefacts.metrics is 'Errors in the rolling test before it was kept.';
comment on column forecast_artefacts.sha256 is 'Of content; a damaged artefact is not read.';
create index forecast_artefacts_newest on forecast_artefacts (asset, synthetic, trained_at desc);

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
comment on table forecast_promotions is 'Which model speaks for an asset since when, and why; the newest row counts, none means the base model.';
comment on column forecast_promotions.artefact_id is 'The artefact that was promoted; null for a model that needs none.';
comment on column forecast_promotions.metrics is 'Its errors and those of its baseline over the days on which both were tested.';
create index forecast_promotions_newest on forecast_promotions (asset, synthetic, decided_at desc);

create table forecast_trainings (
  asset text primary key,
  begun_at timestamptz not null,
  ended_at timestamptz,
  inputs_sha256 text not null check (inputs_sha256 ~ '^[0-9a-f]{64}$'),
  again_from_days integer not null check (again_from_days > 0)
);
comment on table forecast_trainings is 'The last training of each asset on publishers'' prices. Nothing is trained on synthetic ones.';
comment on column forecast_trainings.ended_at is 'Null while it runs, and where it did not come to its end.';
comment on column forecast_trainings.inputs_sha256 is 'Of the prices it was given: the same are not trained on twice.';
comment on column forecast_trainings.again_from_days is 'Days of prices with which it is trained again before its weekly turn.';
