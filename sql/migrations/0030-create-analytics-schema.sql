-- The schema of the views for analysts; what is in it are definitions (sql/objects/analytics_*.sql).

create schema if not exists analytics;
comment on schema analytics is
  'Views for analysts: prices, spreads, calendar, corrections. Names and columns stay; columns are only ever added.';
