-- A chunk of hours for each chunk of intervals, in place of ten years. A year that is aggregated at once is then stored by zone, and the
-- planner knows it: over ten years it takes the order of zones for none, and reads a month of every zone to find that of one.
select set_chunk_time_interval('zone_prices_hourly', interval '1 year');
