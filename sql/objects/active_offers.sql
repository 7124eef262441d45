-- Weights that reduce an offer's band prices to one price for a standard household's consumption, in the order of offers.bands.
-- Peak hours are treated as F1, although they last an hour longer each working day.
create or replace function offer_band_weights(p_bands text) returns double precision[]
language sql stable parallel safe as $$
  select case p_bands
    when 'single' then array[1]
    when 'f1-f2-f3' then array[f1, f2, f3]
    when 'f1-f23' then array[f1, f2 + f3]
    when 'f2-f13' then array[f2, f1 + f3]
    when 'f3-f12' then array[f3, f1 + f2]
    when 'peak-offpeak' then array[f1, f2 + f3]
  end::double precision[]
  from (
    select sum(share) filter (where band = 'F1') as f1, sum(share) filter (where band = 'F2') as f2, sum(share) filter (where band = 'F3') as f3
    from tariff_band_shares
    where profile = 'household'
  ) as shares
$$;
comment on function offer_band_weights(text) is 'Shares of a standard household''s consumption by which the prices of offers.bands are weighted.';

-- The publications used for each day: synthetic ones only if none from a publisher is stored.
create or replace view offer_days_in_use as
select d.source, d.dataset, d.day, d.commodity, d.offers, d.excluded, d.document_id, d.fetched_at, d.version
from offer_days d
join sources s on s.id = d.source
where d.commodity is not null
  and not exists (
    select from offer_days b
    join sources bs on bs.id = b.source
    where b.day = d.day and b.commodity = d.commodity and bs.priority < s.priority
  );
comment on view offer_days_in_use is 'Publications of offers that count: those of the best source for each day and commodity.';

-- Offers of a commodity that were published on a day and could be signed on it. component_eur_kwh is the price of a fixed offer, or the
-- spread of a variable offer over its own reference; band prices are weighted into one.
create or replace function active_offers(p_day date, p_commodity text)
returns table (
  source text, dataset text, supplier text, code text, price_type text, customer text, reference text,
  component_eur_kwh double precision, fixed_fee_eur_year double precision, fixed_fee_eur_month double precision, notes text[]
)
language sql stable as $$
  with weights as materialized (
    select b.bands, offer_band_weights(b.bands) as w
    from (values ('single'), ('f1-f2-f3'), ('f1-f23'), ('f2-f13'), ('f3-f12'), ('peak-offpeak')) as b (bands)
  )
  select o.source, o.dataset, o.supplier, o.code, o.price_type, o.customer, o.reference,
         o.prices_eur_kwh[1] * w.w[1] + coalesce(o.prices_eur_kwh[2] * w.w[2], 0) + coalesce(o.prices_eur_kwh[3] * w.w[3], 0),
         o.fixed_fee_eur_year, o.fixed_fee_eur_year / 12, o.notes
  from offer_days_in_use d
  join offers o on o.source = d.source and o.dataset = d.dataset
  join weights w on w.bands = o.bands
  where d.day = p_day and d.commodity = p_commodity
    and o.commodity = p_commodity and o.first_day <= p_day and (o.until_day is null or o.until_day > p_day)
    and (o.valid_from is null or o.valid_from <= p_day) and (o.valid_to is null or o.valid_to >= p_day)
$$;
comment on function active_offers(date, text) is
  'Offers of a commodity that were published on a day and could be signed on it; none where nothing was published. Internal: one row is one supplier''s offer.';

create or replace function offer_publications()
returns table (day date, commodity text, version bigint)
language sql stable as $$
  select d.day, d.commodity, max(d.version) from offer_days_in_use d group by d.day, d.commodity
$$;
comment on function offer_publications() is 'Days of which offers are stored, by commodity; another version whenever they changed.';
