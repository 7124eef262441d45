-- Reference data with validity: publishers, indices, zones, holidays, price limits.

create extension if not exists timescaledb;

create table sources (
  id text primary key check (id ~ '^[a-z0-9-]+$'),
  name text not null,
  url text,
  priority integer not null,
  synthetic boolean not null default false,
  redistributable boolean not null default false
);
comment on table sources is 'Publishers of prices. Kept equal to the list in src/publishers/index.ts at every start.';
comment on column sources.priority is 'Lower wins: a value is replaced only by a source of the same or a lower number.';
comment on column sources.synthetic is 'True for sample data, which is labelled as such wherever it appears.';
comment on column sources.redistributable is 'Whether its values may be passed on in bulk: by its licence, or as the operator configured it.';

create function are_synthetic(p_sources text[]) returns boolean language sql stable parallel safe as $$
  select exists (select from sources where id = any (p_sources) and synthetic)
$$;
comment on function are_synthetic(text[]) is 'Whether any of the publishers is the synthetic one.';

create table assets (
  code text primary key,
  name text not null,
  unit_native text not null
);
comment on table assets is 'The indices of the contract.';
comment on column assets.unit_native is 'Unit in which the source publishes and in which prices are stored.';

insert into assets (code, name, unit_native) values
  ('PUN', 'PUN Index: national single price of electricity, day-ahead market', '€/MWh'),
  ('PSV', 'PSV: natural gas at the Italian virtual trading point, day-ahead', '€/MWh'),
  ('TTF', 'TTF: natural gas at the Dutch title transfer facility', '€/MWh'),
  ('Brent', 'Brent: crude oil, Europe spot price FOB', '$/bbl'),
  ('CO2', 'CO2: EU emission allowances, primary auction', '€/tCO2');

create table zones (
  code text primary key,
  name text not null,
  name_it text not null,
  kind text not null check (kind in ('national', 'market')),
  eic text,
  valid_from date not null,
  valid_to date,
  check (valid_to is null or valid_to >= valid_from)
);
comment on table zones is 'Zones of the Italian day-ahead market whose prices are stored; nazionale is the PUN.';
comment on column zones.eic is 'Energy Identification Code of the bidding zone (ENTSO-E).';
comment on column zones.valid_to is 'Last market day of the zone, null while it exists.';

insert into zones (code, name, name_it, kind, eic, valid_from) values
  ('nazionale', 'Italy (PUN)', 'Italia (PUN)', 'national', null, '2004-04-01'),
  ('nord', 'North', 'Nord', 'market', '10Y1001A1001A73I', '2004-04-01'),
  ('cnor', 'Centre-North', 'Centro-Nord', 'market', '10Y1001A1001A70O', '2004-04-01'),
  ('csud', 'Centre-South', 'Centro-Sud', 'market', '10Y1001A1001A71M', '2004-04-01'),
  ('sud', 'South', 'Sud', 'market', '10Y1001A1001A788', '2004-04-01'),
  ('cala', 'Calabria', 'Calabria', 'market', '10Y1001C--00096J', '2021-01-01'),
  ('sici', 'Sicily', 'Sicilia', 'market', '10Y1001A1001A75E', '2004-04-01'),
  ('sard', 'Sardinia', 'Sardegna', 'market', '10Y1001A1001A74G', '2004-04-01');

create table holidays (
  name text not null,
  month smallint check (month between 1 and 12),
  day_of_month smallint check (day_of_month between 1 and 31),
  easter_offset_days smallint,
  valid_from date not null,
  valid_to date,
  primary key (name, valid_from),
  check ((month is null) = (day_of_month is null) and (month is null) <> (easter_offset_days is null))
);
comment on table holidays is 'National holidays as rules with validity: a fixed date each year, or a distance from Easter Sunday.';

insert into holidays (name, month, day_of_month, easter_offset_days, valid_from) values
  ('New Year''s Day', 1, 1, null, '2004-01-01'),
  ('Epiphany', 1, 6, null, '2004-01-01'),
  ('Easter Monday', null, null, 1, '2004-01-01'),
  ('Liberation Day', 4, 25, null, '2004-01-01'),
  ('Labour Day', 5, 1, null, '2004-01-01'),
  ('Republic Day', 6, 2, null, '2004-01-01'),
  ('Assumption Day', 8, 15, null, '2004-01-01'),
  ('All Saints'' Day', 11, 1, null, '2004-01-01'),
  ('Immaculate Conception', 12, 8, null, '2004-01-01'),
  ('Christmas Day', 12, 25, null, '2004-01-01'),
  ('St Stephen''s Day', 12, 26, null, '2004-01-01');

create table price_limits (
  asset text not null references assets on delete restrict,
  minimum double precision not null,
  maximum double precision not null,
  valid_from date not null,
  valid_to date,
  primary key (asset, valid_from),
  check (minimum < maximum)
);
comment on table price_limits is
  'Prices outside these limits are quarantined. PUN and zones: the day-ahead market''s harmonised clearing limits; the others: wide plausibility bounds.';

insert into price_limits (asset, minimum, maximum, valid_from) values
  ('PUN', -500, 4000, '2004-01-01'),
  ('PSV', -100, 1000, '2004-01-01'),
  ('TTF', -100, 1000, '2004-01-01'),
  ('Brent', -100, 500, '1987-01-01'),
  ('CO2', 0, 1000, '2005-01-01');
