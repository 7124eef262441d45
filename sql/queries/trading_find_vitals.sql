-- Spreads and Average True Ranges of a market day with the prices behind them; always one row, missing values are null.
-- $1 market day   $2 efficiency   $3 emission factor   index: zone_prices_daily (zone, starts_at), daily_prices (asset, market_day)
select * from trading_vitals($1::date, $2::double precision, $3::double precision)
