-- The history of the offer indices, in order of index and day.
-- $1 sources that may be passed on   $2 first day   $3 last day (inclusive)   $4 commodities, null for all
select
  day as date, commodity, price_type, customer, mean_eur_kwh as mean, median_eur_kwh as median, min_eur_kwh as min, max_eur_kwh as max, offers,
  spread_p10_eur_kwh as spread_p10, spread_p25_eur_kwh as spread_p25, spread_median_eur_kwh as spread_median,
  spread_p75_eur_kwh as spread_p75, spread_p90_eur_kwh as spread_p90, fee_p10_eur_month as fixed_cost_p10,
  fee_median_eur_month as fixed_cost_median, fee_p90_eur_month as fixed_cost_p90, excluded, spread_mean_eur_kwh as spread_mean, sources
from offer_index_days
where sources <@ $1::text[] and day between $2::date and $3::date and ($4::text[] is null or commodity = any ($4::text[]))
order by commodity, price_type, customer, day
