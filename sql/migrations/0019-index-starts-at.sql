-- The intervals of a day are found by time alone when the aggregates are refreshed. A block range index says which blocks of a chunk may
-- hold them: it takes a few pages and costs an import nothing, and prices are stored in the order of days. Without it a refresh reads the
-- whole latest chunk, a year of every zone.
create index price_intervals_starts_at_brin on price_intervals using brin (starts_at);
