-- The daily history of the offer indices and statistics, and what each day of it was computed from.

create table tariff_band_shares (
  profile text not null check (profile in ('household')),
  band text not null check (band in ('F1', 'F2', 'F3')),
  share double precision not null check (share > 0 and share < 1),
  primary key (profile, band)
);
comment on table tariff_band_shares is
  'How a standard household''s yearly consumption spreads over the tariff bands: the weights that make one price of several band prices.';
insert into tariff_band_shares (profile, band, share) values
  ('household', 'F1', 0.33),
  ('household', 'F2', 0.31),
  ('household', 'F3', 0.36);

create table offer_index_days (
  day date not null,
  commodity text not null check (commodity in ('luce', 'gas')),
  price_type text not null check (price_type in ('fisso', 'variabile')),
  customer text not null check (customer in ('domestico', 'business')),
  offers integer not null check (offers >= 5),
  excluded integer not null check (excluded >= 0),
  mean_eur_kwh double precision,
  median_eur_kwh double precision,
  min_eur_kwh double precision,
  max_eur_kwh double precision,
  reference_asset text not null references assets on delete restrict,
  reference_from date,
  reference_to date,
  reference_eur_kwh double precision,
  spread_mean_eur_kwh double precision,
  spread_p10_eur_kwh double precision,
  spread_p25_eur_kwh double precision,
  spread_median_eur_kwh double precision,
  spread_p75_eur_kwh double precision,
  spread_p90_eur_kwh double precision,
  fee_offers integer not null check (fee_offers >= 0),
  fee_p10_eur_month double precision,
  fee_median_eur_month double precision,
  fee_p90_eur_month double precision,
  sources text[] not null,
  reference_sources text[] not null,
  computed_at timestamptz not null,
  primary key (day, commodity, price_type, customer),
  check (mean_eur_kwh is not null or (price_type = 'variabile' and reference_eur_kwh is null)),
  check (spread_mean_eur_kwh is not null or (price_type = 'fisso' and reference_eur_kwh is null))
);
comment on table offer_index_days is
  'Indices and statistics of the free market''s active offers by day: one row per commodity, price type and customer that has at least five offers of at least three suppliers. Nothing in it leads to a single offer.';
comment on column offer_index_days.day is 'Market day of the publication of the offers.';
comment on column offer_index_days.commodity is 'luce: electricity. gas: natural gas.';
comment on column offer_index_days.price_type is 'fisso: a price fixed for the term. variabile: an index plus a spread.';
comment on column offer_index_days.customer is 'domestico: households. business: everybody else.';
comment on column offer_index_days.offers is 'Offers in the figures, outliers left out.';
comment on column offer_index_days.excluded is 'Offers left out: price not a positive number, or an outlier.';
comment on column offer_index_days.mean_eur_kwh is
  'Mean raw-material price: energy only, before losses, charges and taxes. Prices of variabile are null where the reference is.';
comment on column offer_index_days.reference_asset is 'PUN for electricity, PSV for gas.';
comment on column offer_index_days.reference_from is
  'First day of the reference average: variabile, the last full month; fisso, the 30 days before the day. Null where there is none.';
comment on column offer_index_days.reference_eur_kwh is 'Average of the reference index over that span.';
comment on column offer_index_days.spread_median_eur_kwh is
  'Of price minus reference_eur_kwh; for variabile that is the offer''s own spread. Spreads of fisso are null where the reference is.';
comment on column offer_index_days.fee_offers is 'Offers that state a fixed fee; below five the percentiles are null.';
comment on column offer_index_days.fee_median_eur_month is 'Fixed commercial fee.';
comment on column offer_index_days.sources is 'Publishers of the offers.';
comment on column offer_index_days.reference_sources is 'Publishers of the prices in reference_eur_kwh.';

create table offer_index_inputs (
  day date not null,
  commodity text not null check (commodity in ('luce', 'gas')),
  offers_version bigint not null,
  month_average_eur_kwh double precision,
  trailing_average_eur_kwh double precision,
  computed_at timestamptz not null,
  primary key (day, commodity)
);
comment on table offer_index_inputs is
  'What each day of offer_index_days was computed from: where the offers or a reference average are other ones now, the day is computed again.';
