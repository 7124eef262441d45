-- Differences of a market's prices from the day-ahead price of a zone, by month and hour of the day.
-- $1 market   $2 zone   $3 first month   $4 last month (inclusive)   index: fundamentals_hourly (series, area, starts_at)
select
  month, clock_hour as "clockHour", hours, mean_eur_mwh as mean, p10_eur_mwh as p10, p90_eur_mwh as p90, share_above as "shareAbove"
from analytics.market_spreads
where market = $1::text and zone = $2::text and month between $3::date and $4::date
order by month, clock_hour
