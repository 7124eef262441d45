-- The schemas for analysts: views, which sql/objects/analytics_*.sql define, and the aggregates that their queries over HTTP get,
-- which sql/objects/bounded_aggregates.sql defines.

create schema if not exists analytics;
comment on schema analytics is
  'Views for analysts: prices, spreads, calendar, corrections. Names and columns do not change; columns may be added.';

create schema if not exists analytics_bounded;
comment on schema analytics_bounded is
  'Aggregates of the same names as the server''s, for queries over HTTP: they collect at most 100,000 bytes.';
