-- The schema of the aggregates that analysts' queries over HTTP get, which sql/objects/bounded_aggregates.sql defines.

create schema if not exists analytics_bounded;
comment on schema analytics_bounded is
  'Aggregates of the same names as the server''s, for queries over HTTP: they collect at most 100,000 bytes.';
