-- Daily prices of an index, whole days only, in its native unit. The PUN is the mean of the day's intervals or, until all of them are
-- stored, the daily mean stated by a source. Other days with gaps are left out, not averaged.
create or replace function asset_daily_prices(p_asset text, p_from date, p_to date)
returns table (market_day date, price double precision, observed_at timestamptz, source_first text, source_last text, basis text)
language sql stable parallel safe as $$
  select z.market_day, z.price_eur_mwh, z.observed_at, z.source_first, z.source_last, 'intervals'
  from zone_prices_daily z
  where p_asset = 'PUN' and z.zone = 'nazionale'
    and z.starts_at >= market_day_start(p_from) and z.starts_at < market_day_start(p_to + 1)
    and z.minutes = z.expected_minutes
  union all
  select d.market_day, d.price, d.observed_at, d.source, d.source, case when p_asset = 'PUN' then 'daily_mean' end
  from daily_prices d
  where d.asset = p_asset and d.market_day between p_from and p_to
    and not (p_asset = 'PUN' and exists (
      select from zone_prices_daily z
      where z.zone = 'nazionale' and z.starts_at = market_day_start(d.market_day) and z.minutes = z.expected_minutes
    ))
$$;
comment on function asset_daily_prices(text, date, date) is
  'Daily prices of PUN, PSV, TTF, Brent or CO2 from the first to the last day, inclusive, in no particular order; basis tells PUN made of intervals from stated daily means.';
