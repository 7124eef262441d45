-- Difference of each zone from the PUN, for analysts, if both are complete.

create or replace view analytics.spreads_by_hour as
select z.zone, z.starts_at, z.market_day, z.hour, z.price_eur_mwh, n.price_eur_mwh as pun_eur_mwh,
       z.price_eur_mwh - n.price_eur_mwh as spread_eur_mwh, z.starts_at + interval '1 hour' as ends_at
from zone_prices_hourly z
join zone_prices_hourly n on n.zone = 'nazionale' and n.starts_at = z.starts_at
where z.zone <> 'nazionale' and z.minutes = 60 and n.minutes = 60;
comment on view analytics.spreads_by_hour is 'Hourly price of each market zone minus the PUN of the hour.';
comment on column analytics.spreads_by_hour.zone is 'Market zone.';
comment on column analytics.spreads_by_hour.starts_at is 'Instant at which the hour begins.';
comment on column analytics.spreads_by_hour.market_day is 'Calendar day in Europe/Rome.';
comment on column analytics.spreads_by_hour.hour is 'Market hour from 1, by elapsed time.';
comment on column analytics.spreads_by_hour.price_eur_mwh is 'Price of the zone, €/MWh.';
comment on column analytics.spreads_by_hour.pun_eur_mwh is 'PUN, €/MWh.';
comment on column analytics.spreads_by_hour.spread_eur_mwh is 'Price of the zone minus the PUN, €/MWh.';
comment on column analytics.spreads_by_hour.ends_at is 'Instant at which the next hour begins.';

create or replace view analytics.spreads_by_day as
select z.zone, z.market_day, z.price_eur_mwh, n.price_eur_mwh as pun_eur_mwh, z.price_eur_mwh - n.price_eur_mwh as spread_eur_mwh
from zone_prices_daily z
join zone_prices_daily n on n.zone = 'nazionale' and n.starts_at = z.starts_at
where z.zone <> 'nazionale' and z.minutes = z.expected_minutes and n.minutes = n.expected_minutes;
comment on view analytics.spreads_by_day is 'Daily price of each market zone minus the PUN of the day.';
comment on column analytics.spreads_by_day.zone is 'Market zone.';
comment on column analytics.spreads_by_day.market_day is 'Calendar day in Europe/Rome.';
comment on column analytics.spreads_by_day.price_eur_mwh is 'Price of the zone, €/MWh.';
comment on column analytics.spreads_by_day.pun_eur_mwh is 'PUN, €/MWh.';
comment on column analytics.spreads_by_day.spread_eur_mwh is 'Price of the zone minus the PUN, €/MWh.';
