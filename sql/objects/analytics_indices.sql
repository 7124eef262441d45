-- Daily prices of the indices, for analysts: one row per index and day, and a view with the indices side by side.

create or replace view analytics.commodity_prices as
select p.asset, p.market_day, p.price, a.unit_native as unit, p.source, s.synthetic as is_synthetic, p.observed_at, p.fetched_at
from daily_prices p
join assets a on a.code = p.asset
join sources s on s.id = p.source
where p.asset <> 'PUN';
comment on view analytics.commodity_prices is 'Daily prices of gas (PSV, TTF), oil (Brent) and emission allowances (CO2), on the days that have one.';
comment on column analytics.commodity_prices.asset is 'PSV, TTF, Brent or CO2.';
comment on column analytics.commodity_prices.market_day is 'Gas day, trading day or auction day.';
comment on column analytics.commodity_prices.price is 'Price in its native unit.';
comment on column analytics.commodity_prices.unit is 'The unit: €/MWh, $/bbl, €/tCO2.';
comment on column analytics.commodity_prices.source is 'Who published it (analytics.sources).';
comment on column analytics.commodity_prices.is_synthetic is 'True for sample data.';
comment on column analytics.commodity_prices.observed_at is 'When the source published it where it says so, else when it was first seen.';
comment on column analytics.commodity_prices.fetched_at is 'When the document that carries it was read.';

-- Has the same days and values as asset_daily_prices, which the API uses.
create or replace view analytics.price_index as
select 'PUN' as asset, d.market_day, d.price_eur_mwh as price, '€/MWh' as unit, d.source, d.is_synthetic, d.observed_at, 'intervals' as basis
from analytics.prices_by_day d
where d.zone = 'nazionale' and d.is_complete
union all
select p.asset, p.market_day, p.price, a.unit_native, p.source, s.synthetic, p.observed_at,
       case when p.asset = 'PUN' then 'daily_mean' end
from daily_prices p
join assets a on a.code = p.asset
join sources s on s.id = p.source
where p.asset <> 'PUN' or not exists (
  select from zone_prices_daily z
  where z.zone = 'nazionale' and z.starts_at = market_day_start(p.market_day) and z.minutes = z.expected_minutes
);
comment on view analytics.price_index is 'Daily price of every index: PUN, PSV, TTF, Brent, CO2. What the series of the API show.';
comment on column analytics.price_index.asset is 'PUN, PSV, TTF, Brent or CO2.';
comment on column analytics.price_index.market_day is 'Market day, gas day, trading day or auction day.';
comment on column analytics.price_index.price is 'Price in its native unit.';
comment on column analytics.price_index.unit is 'The unit: €/MWh, $/bbl, €/tCO2.';
comment on column analytics.price_index.source is 'Who published it (analytics.sources).';
comment on column analytics.price_index.is_synthetic is 'True where any of it is sample data.';
comment on column analytics.price_index.observed_at is 'When it was published.';
comment on column analytics.price_index.basis is
  'PUN: intervals if all of the day are stored, daily_mean if a source has stated only the mean. Null for the others.';

create or replace view analytics.daily_overview as
select
  market_day,
  max(price) filter (where asset = 'PUN') as pun_eur_mwh,
  max(price) filter (where asset = 'PSV') as psv_eur_mwh,
  max(price) filter (where asset = 'TTF') as ttf_eur_mwh,
  max(price) filter (where asset = 'Brent') as brent_usd_bbl,
  max(price) filter (where asset = 'CO2') as co2_eur_t,
  bool_or(is_synthetic) as is_synthetic
from analytics.price_index
group by market_day;
comment on view analytics.daily_overview is 'All indices side by side, a row for each day on which any of them has a price.';
comment on column analytics.daily_overview.market_day is 'The day.';
comment on column analytics.daily_overview.pun_eur_mwh is 'PUN, €/MWh; null if the day is incomplete.';
comment on column analytics.daily_overview.psv_eur_mwh is 'PSV, €/MWh; null where there is none.';
comment on column analytics.daily_overview.ttf_eur_mwh is 'TTF, €/MWh; null on days without trading.';
comment on column analytics.daily_overview.brent_usd_bbl is 'Brent, US dollars a barrel; null on days without trading.';
comment on column analytics.daily_overview.co2_eur_t is 'CO2 allowances, € a tonne; null on days without an auction.';
comment on column analytics.daily_overview.is_synthetic is 'True where any of them is sample data.';
