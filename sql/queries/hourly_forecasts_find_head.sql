-- The last row of a chain of hours.   $1 chain   index: the hypertable's primary key
select sequence, hash, issued_at from hourly_forecasts where chain = $1::text order by issued_at desc, sequence desc limit 1
