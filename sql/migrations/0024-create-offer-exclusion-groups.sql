-- Offers left out, by the group in whose index they would have counted.

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
  'Those of offer_exclusions whose price type and customer are known: the others were left out before that was read. Written only by store_offer_day.';
