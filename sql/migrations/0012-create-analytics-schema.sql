-- The schema of the views for analysts, which sql/objects/analytics_*.sql define.

create schema if not exists analytics;
comment on schema analytics is
  'Views for analysts: prices, spreads, calendar, corrections. Names and columns do not change; columns may be added.';
