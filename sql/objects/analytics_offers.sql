-- Indices and statistics of the retail offers, for analysts: market aggregates only, never a row that names or isolates a supplier.

create or replace view analytics.offer_indices as
select
  i.day, i.commodity, i.price_type, i.customer, i.offers, i.excluded,
  i.mean_eur_kwh, i.median_eur_kwh, i.min_eur_kwh, i.max_eur_kwh,
  i.reference_asset, i.reference_from, i.reference_to, i.reference_eur_kwh,
  i.spread_mean_eur_kwh, i.spread_p10_eur_kwh, i.spread_p25_eur_kwh, i.spread_median_eur_kwh, i.spread_p75_eur_kwh, i.spread_p90_eur_kwh,
  i.fee_offers, i.fee_p10_eur_month, i.fee_median_eur_month, i.fee_p90_eur_month,
  i.sources, i.reference_sources,
  exists (select from sources s where s.id = any (i.sources || i.reference_sources) and s.synthetic) as is_synthetic,
  i.computed_at
from offer_index_days i;
comment on view analytics.offer_indices is 'Indices of the free market''s retail offers by day, commodity, price type and customer: groups of at least five offers of at least three suppliers.';
comment on column analytics.offer_indices.day is 'Market day on which the offers could be signed.';
comment on column analytics.offer_indices.commodity is 'luce: electricity. gas: natural gas.';
comment on column analytics.offer_indices.price_type is 'fisso: a price fixed for the term. variabile: an index plus a spread.';
comment on column analytics.offer_indices.customer is 'domestico: households. business: everybody else.';
comment on column analytics.offer_indices.offers is 'Offers in the figures.';
comment on column analytics.offer_indices.excluded is 'Offers left out: no usable price, or an outlier.';
comment on column analytics.offer_indices.mean_eur_kwh is 'Mean raw-material price, €/kWh: energy only, before losses, charges and taxes. Prices of variabile are null where the reference is.';
comment on column analytics.offer_indices.median_eur_kwh is 'Median price, €/kWh.';
comment on column analytics.offer_indices.min_eur_kwh is 'Lowest price, €/kWh.';
comment on column analytics.offer_indices.max_eur_kwh is 'Highest price, €/kWh.';
comment on column analytics.offer_indices.reference_asset is 'Index compared with: PUN for electricity, PSV for gas.';
comment on column analytics.offer_indices.reference_from is 'First day of the reference average: variabile, the last full month; fisso, the 30 days before the day. Null where there is none.';
comment on column analytics.offer_indices.reference_to is 'Last day of the reference average.';
comment on column analytics.offer_indices.reference_eur_kwh is 'Average of the index over that span, €/kWh; null where it is not known.';
comment on column analytics.offer_indices.spread_mean_eur_kwh is 'Mean of price minus reference, €/kWh; of variabile the offers'' own spreads. Null of fisso where the reference is.';
comment on column analytics.offer_indices.spread_p10_eur_kwh is 'A tenth of the spreads are below it, €/kWh.';
comment on column analytics.offer_indices.spread_p25_eur_kwh is 'A quarter of the spreads are below it, €/kWh.';
comment on column analytics.offer_indices.spread_median_eur_kwh is 'Median spread, €/kWh.';
comment on column analytics.offer_indices.spread_p75_eur_kwh is 'A quarter of the spreads are above it, €/kWh.';
comment on column analytics.offer_indices.spread_p90_eur_kwh is 'A tenth of the spreads are above it, €/kWh.';
comment on column analytics.offer_indices.fee_offers is 'Offers that state a fixed fee; below five the percentiles are null.';
comment on column analytics.offer_indices.fee_p10_eur_month is 'A tenth of the fixed fees are below it, € a month.';
comment on column analytics.offer_indices.fee_median_eur_month is 'Median fixed fee, € a month.';
comment on column analytics.offer_indices.fee_p90_eur_month is 'A tenth of the fixed fees are above it, € a month.';
comment on column analytics.offer_indices.sources is 'Who published the offers (analytics.sources).';
comment on column analytics.offer_indices.reference_sources is 'Who published the prices of the reference (analytics.sources).';
comment on column analytics.offer_indices.is_synthetic is 'True where any of it is sample data.';
comment on column analytics.offer_indices.computed_at is 'When it was computed.';
