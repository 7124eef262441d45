-- Retail offers as the regulator's portal publishes them every day: normalised, in versions, changes only.

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
comment on table offer_days is 'Each day''s publication of a list of offers that was stored; days without a row were not read. Written only by store_offer_day.';
comment on column offer_days.dataset is 'free: the free market''s own terms; placet: standard terms at a free price. free-dual: electricity and gas together, of which no offer is used.';
comment on column offer_days.day is 'Market day of the publication, as its file''s name says.';
comment on column offer_days.commodity is 'Null for free-dual.';
comment on column offer_days.offers is 'Offers in use.';
comment on column offer_days.excluded is 'Offers that were read and are not in use; offer_exclusions tells why.';
comment on column offer_days.version is 'Another number whenever what is stored of the day changed.';
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
comment on table offer_exclusions is 'Why offers of a day are not in use, and how many: each with its first reason.';
comment on column offer_exclusions.reason is 'One of EXCLUSION_REASONS in src/publishers/arera-offers/reasons.ts.';
comment on column offer_exclusions.examples is 'A few of them: place and offending text, never who offers.';

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
  'Versions of offers: what an offer said on every publication day (offer_days) from first_day until before until_day. Written only by store_offer_day. Internal: never shown offer by offer.';
comment on column offers.supplier is 'Hash of the supplier''s VAT number: tells suppliers apart, and is all that is kept of them.';
comment on column offers.code is 'Code of the offer on the portal; it begins with the supplier''s.';
comment on column offers.first_day is 'First publication day with these contents.';
comment on column offers.until_day is 'First publication day that said otherwise: other contents, or the offer no longer there or no longer in use. Null while it stands.';
comment on column offers.customer is 'domestico: households. business: other uses, condominiums.';
comment on column offers.reference is 'Index a variable offer follows; null for a fixed one. other: a regulated or own formula.';
comment on column offers.valid_from is 'First day on which it can be signed, null where the publication does not say.';
comment on column offers.valid_to is 'Last day on which it can be signed, null where the publication does not say.';
comment on column offers.bands is 'Which tariff bands the prices are for, in that order.';
comment on column offers.prices_eur_kwh is 'Energy price of a fixed offer, spread over the reference of a variable one: standard components added up, before taxes, charges and losses.';
comment on column offers.stated_prices is 'The same in the unit of the publication.';
comment on column offers.fixed_fee_eur_year is 'Yearly commercial fee, null where none is stated.';
comment on column offers.notes is 'NOTES of src/publishers/arera-offers/reasons.ts: discounts, optional components, local offers.';
comment on column offers.document_id is 'Document of first_day.';

select create_hypertable('offers', by_range('first_day', interval '3 months'), create_default_indexes => false);
create index offers_by_commodity on offers (commodity, first_day);

-- Old chunks are packed by the nightly maintenance (compressOldOffers), not by a policy: the embedded engine has no background worker.
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
comment on table offer_revisions is 'What a publication day said of an offer before a later document for the same day said otherwise.';
comment on column offer_revisions.offer is 'The row of offers as it was.';
