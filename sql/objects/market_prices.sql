-- Intraday and imbalance prices. They are stored as fundamentals: a market's prices as `<market>-price`, and preliminary imbalance values
-- under separate names. Final values take precedence.
create or replace function markets() returns text[]
language sql immutable parallel safe
return array['mi-a1', 'mi-a2', 'mi-a3', 'xbid', 'xbid-hour', 'imbalance', 'mi1', 'mi2', 'mi3', 'mi4', 'mi5', 'mi6', 'mi7'];
comment on function markets() is 'Every market after the day-ahead auction (src/market/markets.ts).';

create or replace function market_of(p_series text) returns text
language sql immutable strict parallel safe
return substring(p_series from '^(mi-a[1-3]|mi[1-7]|xbid-hour|xbid|imbalance)-(?:price|base-price|incentive|volume)(?:-preliminary)?$');
comment on function market_of(text) is 'The market that a series belongs to; null for a fundamental.';

create or replace function macrozone_of(p_zone text) returns text
language sql immutable strict parallel safe
return case p_zone when 'nord' then 'macro-nord' when 'nazionale' then null else 'macro-sud' end;
comment on function macrozone_of(text) is 'The macrozone in which deviations of a market zone are settled.';

create or replace function market_prices_as_of(p_market text, p_area text, p_from date, p_to date, p_as_of timestamptz)
returns table (
  market_day date, starts_at timestamptz, resolution_minutes smallint, price double precision, base_price double precision,
  incentive double precision, volume double precision, status text, known_at timestamptz, source text
)
language sql stable parallel safe as $$
  with stated as (
    select distinct on (p.part, f.starts_at) p.part, s.status, f.*
    from unnest(array['price', 'base-price', 'incentive', 'volume']) as p (part)
    cross join (values ('', 'final'), ('-preliminary', 'preliminary')) as s (suffix, status)
    cross join lateral fundamental_values_as_of(p_market || '-' || p.part || s.suffix, p_area, p_from, p_to, p_as_of) f
    where p_market = 'imbalance' or p.part = 'price' and s.suffix = ''
    order by p.part, f.starts_at, s.status
  )
  select
    min(market_day), starts_at, min(resolution_minutes), max(value) filter (where part = 'price'), max(value) filter (where part = 'base-price'),
    max(value) filter (where part = 'incentive'), max(value) filter (where part = 'volume'), max(status) filter (where part = 'price'),
    max(known_at), max(source) filter (where part = 'price')
  from stated
  group by starts_at
  having bool_or(part = 'price')
$$;
comment on function market_prices_as_of(text, text, date, date, timestamptz) is
  'Prices of a market in a zone or macrozone from the first to the last day, inclusive, as they were known at the instant; in no particular order.';

create or replace view analytics.market_prices as
select
  market_of(f.series) as market, f.area as zone, f.starts_at, f.market_day, f.resolution_minutes, f.value as price_eur_mwh,
  b.value as base_price_eur_mwh, i.value as incentive_eur_mwh, v.value as imbalance_mwh,
  case when n.suffix = '' then 'final' else 'preliminary' end as status, f.source, f.known_at, f.fetched_at
from unnest(markets()) as m (market)
cross join (values (''), ('-preliminary')) as n (suffix)
join fundamentals f on f.series = m.market || '-price' || n.suffix
left join fundamentals b on b.series = m.market || '-base-price' || n.suffix and b.area = f.area and b.starts_at = f.starts_at
left join fundamentals i on i.series = m.market || '-incentive' || n.suffix and i.area = f.area and i.starts_at = f.starts_at
left join fundamentals v on v.series = m.market || '-volume' || n.suffix and v.area = f.area and v.starts_at = f.starts_at
where n.suffix = '' or not exists (
  select from fundamentals o where o.series = m.market || '-price' and o.area = f.area and o.starts_at = f.starts_at
);
comment on view analytics.market_prices is
  'Prices of the intraday auctions, of the continuous market and of imbalance settlement, as published. Fast where market, zone and a span of starts_at are given.';
comment on column analytics.market_prices.market is 'mi-a1, mi-a2, mi-a3 (mi1 to mi7 until 2021), xbid, xbid-hour or imbalance.';
comment on column analytics.market_prices.zone is 'Market zone; of imbalance the macrozone, macro-nord or macro-sud.';
comment on column analytics.market_prices.starts_at is 'Instant at which the interval begins.';
comment on column analytics.market_prices.market_day is 'Calendar day in Europe/Rome.';
comment on column analytics.market_prices.resolution_minutes is 'Length of the interval: 15 or 60 minutes.';
comment on column analytics.market_prices.price_eur_mwh is 'Price, €/MWh; of xbid the reference price, which is missing where nothing was traded.';
comment on column analytics.market_prices.base_price_eur_mwh is 'Base price of the imbalance price, €/MWh; null in other markets.';
comment on column analytics.market_prices.incentive_eur_mwh is 'Incentive component of the imbalance price, €/MWh; null in other markets.';
comment on column analytics.market_prices.imbalance_mwh is 'Aggregate imbalance of the macrozone, MWh; positive where it is long. Null where it is not published.';
comment on column analytics.market_prices.status is 'final or preliminary; prices of auctions are final.';
comment on column analytics.market_prices.source is 'Who published it (analytics.sources).';
comment on column analytics.market_prices.known_at is 'From when on it was known: when it was read, or of history its usual publication.';
comment on column analytics.market_prices.fetched_at is 'When the document that carries it was read.';

create or replace view analytics.market_spreads as
select m.market, z.code as zone, s.month, s.clock_hour, s.hours, s.mean_eur_mwh, s.p10_eur_mwh, s.p90_eur_mwh, s.share_above
from unnest(markets()) as m (market)
cross join zones z
cross join lateral (
  select
    date_trunc('month', h.market_day)::date as month, extract(hour from h.starts_at at time zone 'Europe/Rome')::integer as clock_hour,
    count(*) as hours, avg(h.value - p.price_eur_mwh) as mean_eur_mwh,
    percentile_cont(0.1) within group (order by h.value - p.price_eur_mwh) as p10_eur_mwh,
    percentile_cont(0.9) within group (order by h.value - p.price_eur_mwh) as p90_eur_mwh,
    avg(case when h.value > p.price_eur_mwh then 1 else 0 end)::double precision as share_above
  from fundamentals_hourly h
  join zone_prices_hourly p on p.zone = z.code and p.starts_at = h.starts_at
  where h.series = m.market || '-price' and h.area = case m.market when 'imbalance' then macrozone_of(z.code) else z.code end
    and h.minutes = 60 and p.minutes = 60
  group by 1, 2
) s
where z.kind = 'market';
comment on view analytics.market_spreads is
  'Price of each market minus the day-ahead price of the zone, by month and hour of the day, over hours in which both are whole; of imbalance final prices of the zone''s macrozone. Fast where market and zone are given.';
comment on column analytics.market_spreads.market is 'mi-a1, mi-a2, mi-a3 (mi1 to mi7 until 2021), xbid, xbid-hour or imbalance.';
comment on column analytics.market_spreads.zone is 'Market zone.';
comment on column analytics.market_spreads.month is 'First day of the month.';
comment on column analytics.market_spreads.clock_hour is 'Hour of the day in Rome, 0 to 23.';
comment on column analytics.market_spreads.hours is 'Hours in the figures.';
comment on column analytics.market_spreads.mean_eur_mwh is 'Mean difference, €/MWh: positive where the market was dearer than the day-ahead auction.';
comment on column analytics.market_spreads.p10_eur_mwh is 'A tenth of the differences are below it, €/MWh.';
comment on column analytics.market_spreads.p90_eur_mwh is 'A tenth of the differences are above it, €/MWh.';
comment on column analytics.market_spreads.share_above is 'Share of hours in which the market was dearer, 0 to 1.';
