-- The indices and statistics of each commodity's latest publication of offers; a cell that is too small in it is not filled
-- from older ones.   $1 not after this day   index: (day, commodity), (day, commodity, price_type, customer)
with latest as (
  select commodity, max(day) as day from offer_index_inputs where day <= $1::date group by commodity
)
select
  i.day, i.commodity, i.price_type, i.customer, i.offers, i.excluded,
  i.mean_eur_kwh, i.median_eur_kwh, i.min_eur_kwh, i.max_eur_kwh,
  i.reference_asset, i.reference_from, i.reference_to, i.reference_eur_kwh,
  i.spread_mean_eur_kwh, i.spread_p10_eur_kwh, i.spread_p25_eur_kwh, i.spread_median_eur_kwh, i.spread_p75_eur_kwh, i.spread_p90_eur_kwh,
  i.fee_p10_eur_month, i.fee_median_eur_month, i.fee_p90_eur_month,
  i.sources, i.reference_sources
from latest l
join offer_index_days i on i.day = l.day and i.commodity = l.commodity
order by i.commodity desc, i.price_type, i.customer desc
