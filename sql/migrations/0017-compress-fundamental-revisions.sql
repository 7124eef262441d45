-- Weather runs replace thousands of values every night: former values are compressed like current ones. A foreign key would have to be a
-- segmenting column; store_fundamental_days checks the document.

alter table fundamental_revisions drop constraint fundamental_revisions_superseded_by_fkey;

select create_hypertable(
  'fundamental_revisions', by_range('starts_at', interval '3 months'), create_default_indexes => false, migrate_data => true
);

alter table fundamental_revisions set (
  timescaledb.compress,
  timescaledb.compress_segmentby = 'series, area',
  timescaledb.compress_orderby = 'starts_at, superseded_at, resolution_minutes'
);
