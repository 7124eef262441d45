-- Indices and statistics of a day's active offers of a commodity: one row per price type and customer. The rules and the reasons for
-- them are in src/web/docs/offer-indices.md.
create or replace function offer_index_cells(p_day date, p_commodity text)
returns table (
  price_type text, customer text, offers integer, excluded integer,
  mean_eur_kwh double precision, median_eur_kwh double precision, min_eur_kwh double precision, max_eur_kwh double precision,
  reference_asset text, reference_from date, reference_to date, reference_eur_kwh double precision,
  spread_mean_eur_kwh double precision, spread_percentiles double precision[],
  fee_offers integer, fee_percentiles double precision[],
  sources text[]
)
language sql stable as $$
  with reference as (
    select r.asset, r.month, r.month_average_eur_kwh, r.trailing_average_eur_kwh
    from offer_references(p_day, p_day) as r
    where r.commodity = p_commodity
  ), offers as ( -- each occurs once, by the key of offers
    select o.price_type, o.customer, o.supplier, o.reference, o.component_eur_kwh as component, o.fixed_fee_eur_month as fee, o.source
    from active_offers(p_day, p_commodity) as o
  ), measured as ( -- the component is the price of a fixed offer, the spread of a variable one
    select o.*,
           case o.price_type when 'fisso' then o.component else r.month_average_eur_kwh + o.component end as price,
           case o.price_type when 'fisso' then o.component - r.trailing_average_eur_kwh else o.component end as spread,
           o.price_type = 'fisso' or o.reference = r.asset as follows_reference
    from offers o cross join reference r
  ), sound as (
    -- Larger numbers, infinite ones and NaN would make the averages fail. Without a reference average the price of a variable offer
    -- is unknown, which is not the offer's fault.
    select m.* from measured m
    where m.component between -1e6 and 1e6 and coalesce(m.price, 1) > 0 and m.follows_reference
  ), centres as materialized ( -- else its medians are computed once per offer
    select s.price_type, s.customer, percentile_cont(0.5) within group (order by s.component) as median
    from sound s
    group by s.price_type, s.customer
  ), distances as (
    select s.*, abs(s.component - c.median) as distance
    from sound s join centres c using (price_type, customer)
  ), scales as materialized ( -- with more than half the offers at one price the median distance is 0, and the mean distance replaces it
    select d.price_type, d.customer, 1.4826 * percentile_cont(0.5) within group (order by d.distance) as by_median,
           1.2533 * avg(d.distance order by d.distance) as by_mean
    from distances d
    group by d.price_type, d.customer
  ), kept as (
    select d.*
    from distances d join scales s using (price_type, customer)
    where d.distance <= 5 * case when s.by_median > 1e-9 then s.by_median else s.by_mean end + 1e-9
  ), cells as (
    select k.price_type, k.customer, count(*)::integer as offers, count(distinct k.supplier) as suppliers,
           avg(k.price order by k.price) as mean_price,
           percentile_cont(0.5) within group (order by k.price) as median_price,
           min(k.price) as min_price, max(k.price) as max_price,
           avg(k.spread order by k.spread) as mean_spread,
           percentile_cont(array[0.1, 0.25, 0.5, 0.75, 0.9]) within group (order by k.spread) as spreads,
           count(k.fee)::integer as fee_offers,
           percentile_cont(array[0.1, 0.5, 0.9]) within group (order by k.fee) as fees,
           array_agg(distinct k.source) as sources
    from kept k
    group by k.price_type, k.customer
  ), totals as (
    select o.price_type, o.customer, count(*)::integer as offers from offers o group by o.price_type, o.customer
  ), unread as ( -- offers of the day that were excluded for their price when the list was read
    select g.price_type, g.customer, sum(g.offers)::integer as offers
    from offer_days_in_use d
    join offer_exclusion_groups g on g.source = d.source and g.dataset = d.dataset and g.day = d.day
    where d.day = p_day and d.commodity = p_commodity
      and g.reason in ('missing_price', 'missing_band_price', 'not_a_number', 'wrong_unit', 'negative_price', 'zero_price', 'absurd_price')
    group by g.price_type, g.customer
  )
  select c.price_type, c.customer, c.offers, t.offers - c.offers + coalesce(u.offers, 0),
         c.mean_price, c.median_price, c.min_price, c.max_price,
         r.asset, span.first_day, span.last_day, span.average,
         c.mean_spread, c.spreads,
         c.fee_offers, case when c.fee_offers >= 5 then c.fees end,
         c.sources
  from cells c
  join totals t using (price_type, customer)
  left join unread u using (price_type, customer)
  cross join reference r
  cross join lateral (
    select p_day - 30, p_day - 1, r.trailing_average_eur_kwh where c.price_type = 'fisso' and r.trailing_average_eur_kwh is not null
    union all
    select r.month, (r.month + interval '1 month' - interval '1 day')::date, r.month_average_eur_kwh
    where c.price_type = 'variabile' and r.month is not null
    union all
    select null, null, null
    where case c.price_type when 'fisso' then r.trailing_average_eur_kwh else r.month_average_eur_kwh end is null
  ) as span (first_day, last_day, average)
  where c.offers >= 5 and c.suppliers >= 3
$$;
comment on function offer_index_cells(date, text) is
  'Indices and statistics of the active offers of a commodity on a day, computed from the offers; cells of fewer than five offers or three suppliers are left out.';
