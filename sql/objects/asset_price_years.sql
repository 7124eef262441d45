-- Daily prices of an index in order of day, one row per calendar year, so that twenty years are twenty rows. The PUN of a year that lies
-- within the span and was computed from hours throughout is read as one row. All other years, and years not yet in the aggregate,
-- are collected day by day.
create or replace function asset_price_years(p_asset text, p_from date, p_to date)
returns table (market_days date[], prices double precision[], sources text[])
language sql stable parallel safe as $$
  with years as (
    select year::date as starts_on, (year + interval '1 year')::date - 1 as ends_on
    from generate_series(date_trunc('year', p_from::timestamp), p_to::timestamp, interval '1 year') as year
  )
  select d.*
  from years y
  left join zone_prices_yearly z
    on p_asset = 'PUN' and z.zone = 'nazionale' and z.starts_at = market_day_start(y.starts_on)
    and p_from <= y.starts_on and p_to >= y.ends_on
    and not exists (select from daily_prices p where p.asset = 'PUN' and p.market_day between y.starts_on and y.ends_on)
  cross join lateral (
    select z.market_days, z.prices_eur_mwh, z.sources_first || z.sources_last where z.market_days is not null
    union all
    select array_agg(a.market_day order by a.market_day), array_agg(a.price order by a.market_day),
           array_agg(distinct a.source_first) || array_agg(distinct a.source_last)
    from asset_daily_prices(p_asset, greatest(p_from, y.starts_on), least(p_to, y.ends_on)) a
    where z.market_days is null
  ) d (market_days, prices, sources)
  where d.market_days is not null
  order by y.starts_on
$$;
comment on function asset_price_years(text, date, date) is
  'Daily prices of PUN, PSV, TTF, Brent or CO2 by calendar year; years without prices have no row.';
