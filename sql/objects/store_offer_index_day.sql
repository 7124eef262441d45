-- Recomputes one day of the offer indices and records its inputs.
create or replace function store_offer_index_day(p_day date, p_commodity text, p_at timestamptz) returns void
language plpgsql as $$
begin
  delete from offer_index_days where day = p_day and commodity = p_commodity;
  insert into offer_index_days (
    day, commodity, price_type, customer, offers, excluded, mean_eur_kwh, median_eur_kwh, min_eur_kwh, max_eur_kwh,
    reference_asset, reference_from, reference_to, reference_eur_kwh,
    spread_mean_eur_kwh, spread_p10_eur_kwh, spread_p25_eur_kwh, spread_median_eur_kwh, spread_p75_eur_kwh, spread_p90_eur_kwh,
    fee_offers, fee_p10_eur_month, fee_median_eur_month, fee_p90_eur_month,
    sources, reference_sources, computed_at
  )
  select
    p_day, p_commodity, c.price_type, c.customer, c.offers, c.excluded, c.mean_eur_kwh, c.median_eur_kwh, c.min_eur_kwh, c.max_eur_kwh,
    c.reference_asset, c.reference_from, c.reference_to, c.reference_eur_kwh,
    c.spread_mean_eur_kwh, c.spread_percentiles[1], c.spread_percentiles[2], c.spread_percentiles[3], c.spread_percentiles[4], c.spread_percentiles[5],
    c.fee_offers, c.fee_percentiles[1], c.fee_percentiles[2], c.fee_percentiles[3],
    c.sources, coalesce(asset_price_sources(c.reference_asset, c.reference_from, c.reference_to), '{}'), p_at
  from offer_index_cells(p_day, p_commodity) as c;

  delete from offer_index_inputs where day = p_day and commodity = p_commodity;
  insert into offer_index_inputs (day, commodity, offers_version, month_average_eur_kwh, trailing_average_eur_kwh, computed_at)
  select p_day, p_commodity, p.version, r.month_average_eur_kwh, r.trailing_average_eur_kwh, p_at
  from offer_publications() as p
  join offer_references(p_day, p_day) as r on r.commodity = p.commodity
  where p.day = p_day and p.commodity = p_commodity;
end $$;
comment on function store_offer_index_day(date, text, timestamptz) is
  'Computes the indices and statistics of a commodity on a day and replaces the former ones.';
