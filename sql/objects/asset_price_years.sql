-- Daily prices of an index in order of day, a row for each calendar year, so that twenty years travel as twenty rows. A year that lies
-- within the span and whose PUN is all made of hours is there already as a whole; everything else is gathered day by day.
create or replace function asset_price_years(p_asset text, p_from date, p_to date)
returns table (market_days date[], prices double precision[], sources text[])
language sql stable parallel safe as $$
  with years as (
    select
      greatest(p_from, year::date) as first_day,
      least(p_to, (year + interval '1 year')::date - 1) as last_day,
      p_asset = 'PUN' and p_from <= year::date and p_to >= (year + interval '1 year')::date - 1
        and not exists (
          select from daily_prices d
          where d.asset = 'PUN' and d.market_day >= year::date and d.market_day < (year + interval '1 year')::date
        ) as is_whole
    from generate_series(date_trunc('year', p_from::timestamp), p_to::timestamp, interval '1 year') as year
  )
  select d.*
  from years y
  cross join lateral (
    select z.market_days, z.prices_eur_mwh, z.sources_first || z.sources_last
    from zone_prices_yearly z
    where y.is_whole and z.zone = 'nazionale' and z.starts_at = market_day_start(y.first_day)
    union all
    select array_agg(a.market_day order by a.market_day), array_agg(a.price order by a.market_day),
           array_agg(distinct a.source_first) || array_agg(distinct a.source_last)
    from asset_daily_prices(p_asset, y.first_day, y.last_day) a
    where not y.is_whole
  ) d (market_days, prices, sources)
  where d.market_days is not null
  order by y.first_day
$$;
comment on function asset_price_years(text, date, date) is
  'Daily prices of PUN, PSV, TTF, Brent or CO2 by calendar year; years without prices have no row.';
