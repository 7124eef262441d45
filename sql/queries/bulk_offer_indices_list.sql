-- The history of the offer indices, in order of index and day.
-- $1 sources that may be passed on   $2 first day   $3 last day (inclusive)   $4 commodities, null for all
select
  day, commodity, price_type, customer, mean_eur_kwh, median_eur_kwh, min_eur_kwh, max_eur_kwh, offers,
  spread_p10_eur_kwh, spread_p25_eur_kwh, spread_median_eur_kwh, spread_p75_eur_kwh, spread_p90_eur_kwh,
  fee_p10_eur_month, fee_median_eur_month, fee_p90_eur_month, excluded, spread_mean_eur_kwh, sources
from offer_index_days
where sources <@ $1::text[] and day between $2::date and $3::date and ($4::text[] is null or commodity = any ($4::text[]))
order by commodity, price_type, customer, day
