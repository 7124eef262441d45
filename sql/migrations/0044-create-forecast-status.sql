-- How the last attempt to issue ended, so that an answer without a forecast can say what is missing.

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
comment on column forecast_status.days_known is 'Days of prices there were: a refusal stands until there are more, or fewer.';
