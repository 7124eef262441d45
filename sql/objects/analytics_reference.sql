-- Reference data for analysts: the meaning of zone, asset and source in the other views.

create or replace view analytics.zones as
select code as zone, name, name_it, kind, eic, valid_from, valid_to from zones;
comment on view analytics.zones is 'Zones of the Italian day-ahead market; nazionale is the PUN.';
comment on column analytics.zones.zone is 'Code of the zone in the other views.';
comment on column analytics.zones.name is 'Name in English.';
comment on column analytics.zones.name_it is 'Name in Italian.';
comment on column analytics.zones.kind is 'national for the PUN, market for the others.';
comment on column analytics.zones.eic is 'Energy Identification Code of the bidding zone (ENTSO-E); null for the PUN.';
comment on column analytics.zones.valid_from is 'First market day of the zone.';
comment on column analytics.zones.valid_to is 'Last market day of the zone; null while it exists.';

create or replace view analytics.assets as
select code as asset, name, unit_native as unit from assets;
comment on view analytics.assets is 'The indices and commodities of the service.';
comment on column analytics.assets.asset is 'Code in the other views: PUN, PSV, TTF, Brent, CO2.';
comment on column analytics.assets.name is 'Name in words.';
comment on column analytics.assets.unit is 'Unit of its prices.';

create or replace view analytics.sources as
select id as source, name, url, synthetic as is_synthetic from sources;
comment on view analytics.sources is 'Publishers of the prices. Their terms apply to the data.';
comment on column analytics.sources.source is 'Code in the other views.';
comment on column analytics.sources.name is 'Name to be shown beside the data.';
comment on column analytics.sources.url is 'Address of the publisher.';
comment on column analytics.sources.is_synthetic is 'True for sample data, which no publisher published.';

create or replace view analytics.data_version as
select version from data_version;
comment on view analytics.data_version is 'Version of the data, one row.';
comment on column analytics.data_version.version is 'Grows whenever data are imported, corrected or aggregated.';
