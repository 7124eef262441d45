-- What came true, as it was known when the forecasts of the day were first scored: a later correction of a price changes no score.

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
