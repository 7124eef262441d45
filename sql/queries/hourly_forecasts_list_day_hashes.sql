-- The last hash of each Rome day on which a chain of hours grew, and how long the chain then was.
-- $1 chain   $2 first day   $3 last day (inclusive)   index: the hypertable's primary key
select distinct on (market_day_of(issued_at)) market_day_of(issued_at) as day, sequence, hash
from hourly_forecasts
where chain = $1::text and issued_at >= market_day_start($2::date) and issued_at < market_day_start($3::date + 1)
order by market_day_of(issued_at), sequence desc
