-- Forecasts made afterwards as of past days. They prove nothing about when they were made, so they have tables of their own, no chain,
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
comment on table forecast_replays is 'Runs that re-issued forecasts as of past days.';
comment on column forecast_replays.purpose is 'accuracy: made by the service, stands in for the track record until there is one; command: asked for by an operator.';
comment on column forecast_replays.first_day is 'First market day of issue; last_day inclusive.';

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
  primary key (replay_id, role, info_date, target_date),
  constraint replayed_forecasts_horizon check (horizon_days = target_date - info_date and horizon_days > 0),
  constraint replayed_forecasts_quantiles_in_order check (p10 <= p50 and p50 <= p90)
);
comment on table replayed_forecasts is 'What the models would have said, with only what was known then.';
comment on column replayed_forecasts.issued_at is 'The instant as of which it was made, not when: see forecast_replays.made_at.';
