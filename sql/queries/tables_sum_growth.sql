-- Growth in bytes of the price tables, with the chunks of hypertables and aggregates, since their statistics were last taken.
-- The counters used by autovacuum (pg_stat_all_tables) stay empty in the embedded engine.
select coalesce(sum(greatest(pg_relation_size(c.oid) - c.relpages::bigint * current_setting('block_size')::bigint, 0)), 0)::bigint as bytes
from pg_class c
where c.relkind = 'r' and c.relnamespace in (select oid from pg_namespace where nspname in ('public', '_timescaledb_internal'))
