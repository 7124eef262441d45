-- A refresh of the aggregates asks for all zones of the span that changed, which the primary key (zone first) cannot find: it read
-- the whole chunk, several times, for the sake of one day.
create index price_intervals_starts_at on price_intervals (starts_at);
