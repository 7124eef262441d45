-- Retail offers and related figures from the regulator's portal, normalised and in versions, and the offer indices computed from them.

create table offer_days (
  source text not null references sources on delete restrict,
  dataset text not null check (dataset in ('free-power', 'free-gas', 'free-dual', 'placet-power', 'placet-gas')),
  day date not null,
  commodity text check (commodity in ('luce', 'gas')),
  offers integer not null check (offers >= 0),
  excluded integer not null check (excluded >= 0),
  document_id bigint not null references documents on delete restrict,
  fetched_at timestamptz not null,
  version bigint not null,
  primary key (source, dataset, day)
);
comment on table offer_days is 'Each daily list of offers that was stored; days without a row were not read. Written only by store_offer_day.';
comment on column offer_days.dataset is 'free: the free market''s own terms; placet: standard terms at a free price. free-dual: electricity and gas together; none of these offers is used.';
comment on column offer_days.day is 'Market day of the publication, from the file name.';
comment on column offer_days.commodity is 'Null for free-dual.';
comment on column offer_days.offers is 'Offers that are used.';
comment on column offer_days.excluded is 'Offers that were read but are not used; offer_exclusions has the reasons.';
comment on column offer_days.version is 'Changes whenever the stored offers of the day change.';
create index offer_days_by_day on offer_days (day, commodity);

create table offer_exclusions (
  source text not null,
  dataset text not null,
  day date not null,
  reason text not null,
  offers integer not null check (offers > 0),
  examples text[] not null,
  primary key (source, dataset, day, reason),
  foreign key (source, dataset, day) references offer_days on delete cascade
);
comment on table offer_exclusions is 'Why offers of a day are not used, and how many: each offer counts under its first reason.';
comment on column offer_exclusions.reason is 'One of EXCLUSION_REASONS in src/publishers/arera-offers/reasons.ts.';
comment on column offer_exclusions.examples is 'A few examples: place and text at fault, never the supplier.';

create table offers (
  source text not null,
  dataset text not null,
  supplier text not null check (supplier ~ '^[0-9a-f]{16}$'),
  code text not null,
  first_day date not null,
  until_day date,
  commodity text not null check (commodity in ('luce', 'gas')),
  price_type text not null check (price_type in ('fisso', 'variabile')),
  customer text not null check (customer in ('domestico', 'business')),
  reference text check (reference in ('PUN', 'PSV', 'TTF', 'other')),
  valid_from date,
  valid_to date,
  bands text not null check (bands in ('single', 'f1-f2-f3', 'f1-f23', 'f2-f13', 'f3-f12', 'peak-offpeak')),
  prices_eur_kwh double precision[] not null,
  stated_prices double precision[] not null,
  stated_unit text not null check (stated_unit in ('€/kWh', '€/Smc')),
  fixed_fee_eur_year double precision,
  notes text[] not null,
  document_id bigint not null,
  fetched_at timestamptz not null,
  primary key (source, dataset, supplier, code, first_day),
  check (until_day > first_day),
  check ((price_type = 'fisso') = (reference is null)),
  check (cardinality(prices_eur_kwh) = case bands when 'single' then 1 when 'f1-f2-f3' then 3 else 2 end),
  check (cardinality(stated_prices) = cardinality(prices_eur_kwh))
);
comment on table offers is
  'Versions of offers: the contents of an offer on every publication day (offer_days) from first_day until before until_day. Written only by store_offer_day. Internal: never shown offer by offer.';
comment on column offers.supplier is 'Hash of the supplier''s VAT number, to distinguish suppliers; nothing else about them is stored.';
comment on column offers.code is 'Code of the offer on the portal; it begins with the supplier''s code.';
comment on column offers.first_day is 'First publication day with these contents.';
comment on column offers.until_day is 'First publication day with other contents, or without the offer, or on which it is not used. Null while it is current.';
comment on column offers.customer is 'domestico: households. business: other uses, condominiums.';
comment on column offers.reference is 'Index that a variable offer follows; null for a fixed one. other: a regulated formula or one of the supplier''s own.';
comment on column offers.valid_from is 'First day on which it can be signed; null if the publication does not say.';
comment on column offers.valid_to is 'Last day on which it can be signed; null if the publication does not say.';
comment on column offers.bands is 'Tariff bands that the prices are for, in the same order.';
comment on column offers.prices_eur_kwh is 'Energy price of a fixed offer, spread over the reference of a variable one: the sum of the standard components, before taxes, charges and losses.';
comment on column offers.stated_prices is 'The same prices in the unit of the publication.';
comment on column offers.fixed_fee_eur_year is 'Yearly fixed fee; null if none is stated.';
comment on column offers.notes is 'NOTES of src/publishers/arera-offers/reasons.ts: discounts, optional components, local offers.';
comment on column offers.document_id is 'Document of first_day.';

select create_hypertable('offers', by_range('first_day', interval '3 months'), create_default_indexes => false);
create index offers_by_commodity on offers (commodity, first_day);

-- Compressed by the nightly maintenance, like price_intervals.
alter table offers set (
  timescaledb.compress,
  timescaledb.compress_segmentby = 'source, dataset, commodity',
  timescaledb.compress_orderby = 'supplier, code, first_day'
);

create table offer_revisions (
  source text not null,
  dataset text not null,
  supplier text not null,
  code text not null,
  day date not null,
  offer jsonb not null,
  superseded_at timestamptz not null,
  superseded_by bigint not null references documents on delete restrict,
  primary key (source, dataset, supplier, code, day, superseded_at)
);
comment on table offer_revisions is 'Former contents of an offer on a publication day that a later document for the same day replaced.';
comment on column offer_revisions.offer is 'The former row of offers.';

create table offer_exclusion_groups (
  source text not null,
  dataset text not null,
  day date not null,
  reason text not null,
  price_type text not null check (price_type in ('fisso', 'variabile')),
  customer text not null check (customer in ('domestico', 'business')),
  offers integer not null check (offers > 0),
  primary key (source, dataset, day, reason, price_type, customer),
  foreign key (source, dataset, day, reason) references offer_exclusions on delete cascade
);
comment on table offer_exclusion_groups is
  'offer_exclusions by price type and customer, for offers excluded after these were read. Written only by store_offer_day.';

create table published_values (
  source text not null references sources on delete restrict,
  series text not null check (series in ('parameters-free-power', 'parameters-free-gas', 'parameters-placet-power', 'parameters-placet-gas', 'index-months')),
  name text not null,
  valid_on date not null,
  value double precision not null check (value > '-infinity' and value < 'infinity'),
  unit text,
  description text,
  document_id bigint not null references documents on delete restrict,
  fetched_at timestamptz not null,
  primary key (source, series, name, valid_on)
);
comment on table published_values is 'Figures that the portal publishes besides offers: regulated parameters by day, monthly averages of the indices that offers follow. Written only by store_published_values.';
comment on column published_values.valid_on is 'Day of the publication; for index-months, the first day of the month.';
comment on column published_values.name is 'As published, such as lambda or pcv; for index-months, the index: PUN, PSV.';
comment on column published_values.unit is 'Null if only the description states it.';

create table published_value_revisions (
  source text not null,
  series text not null,
  name text not null,
  valid_on date not null,
  value double precision not null,
  document_id bigint not null,
  fetched_at timestamptz not null,
  superseded_at timestamptz not null,
  superseded_by bigint not null references documents on delete restrict,
  primary key (source, series, name, valid_on, superseded_at)
);
comment on table published_value_revisions is 'Former values of published_values that a later document replaced.';

create table tariff_band_shares (
  profile text not null check (profile in ('household')),
  band text not null check (band in ('F1', 'F2', 'F3')),
  share double precision not null check (share > 0 and share < 1),
  primary key (profile, band)
);
comment on table tariff_band_shares is
  'Share of each tariff band in a standard household''s yearly consumption: the weights that turn several band prices into one.';
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
  'Indices and statistics of the free market''s active offers by day: one row per commodity, price type and customer with at least five offers of at least three suppliers. No single offer can be derived from it.';
comment on column offer_index_days.day is 'Market day of the publication of the offers.';
comment on column offer_index_days.commodity is 'luce: electricity. gas: natural gas.';
comment on column offer_index_days.price_type is 'fisso: a price fixed for the term. variabile: an index plus a spread.';
comment on column offer_index_days.customer is 'domestico: households. business: all others.';
comment on column offer_index_days.offers is 'Offers in the figures, without outliers.';
comment on column offer_index_days.excluded is 'Offers excluded: price not a positive number, or an outlier.';
comment on column offer_index_days.mean_eur_kwh is
  'Mean raw-material price: energy only, before losses, charges and taxes. Prices of variabile are null if the reference is null.';
comment on column offer_index_days.reference_asset is 'PUN for electricity, PSV for gas.';
comment on column offer_index_days.reference_from is
  'First day of the reference average: variabile, the last full month; fisso, the 30 days before the day. Null if there is none.';
comment on column offer_index_days.reference_eur_kwh is 'Average of the reference index over that period.';
comment on column offer_index_days.spread_median_eur_kwh is
  'Of price minus reference_eur_kwh; for variabile this is the offer''s own spread. Spreads of fisso are null if the reference is null.';
comment on column offer_index_days.fee_offers is 'Offers that state a fixed fee; with fewer than five the percentiles are null.';
comment on column offer_index_days.fee_median_eur_month is 'Median of the fixed fees.';
comment on column offer_index_days.sources is 'Publishers of the offers.';
comment on column offer_index_days.reference_sources is 'Publishers of the prices in reference_eur_kwh.';

create trigger offer_index_days_sample before insert on offer_index_days
  for each row when (are_synthetic(new.sources || new.reference_sources)) execute function refuse_sample_data();

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
  'Inputs of each day of offer_index_days: if the offers or a reference average have changed since, the day is computed again.';
