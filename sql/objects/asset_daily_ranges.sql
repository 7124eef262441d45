-- High, low and close of each whole day of several indices in one pass, in native units. For the PUN these are the dearest hour, the
-- cheapest hour and the daily mean. Indices published once a day, and a PUN without hours, have the close as high and low, too.
create or replace function asset_daily_ranges(p_assets text[], p_from date, p_to date)
returns table (
  asset text, market_day date, high double precision, low double precision, close double precision,
  source_first text, source_last text
)
language sql stable parallel safe as $$
  select 'PUN', z.market_day, z.hour_max_eur_mwh, z.hour_min_eur_mwh, z.price_eur_mwh, z.source_first, z.source_last
  from zone_prices_daily z
  where 'PUN' = any (p_assets) and z.zone = 'nazionale'
    and z.starts_at >= market_day_start(p_from) and z.starts_at < market_day_start(p_to + 1)
    and z.minutes = z.expected_minutes
  union all
  select d.asset, d.market_day, d.price, d.price, d.price, d.source, d.source
  from daily_prices d
  where d.asset = any (p_assets) and d.market_day between p_from and p_to
    and not (d.asset = 'PUN' and exists (
      select from zone_prices_daily z
      where z.zone = 'nazionale' and z.starts_at = market_day_start(d.market_day) and z.minutes = z.expected_minutes
    ))
$$;
comment on function asset_daily_ranges(text[], date, date) is
  'High, low and close of PUN, PSV, TTF, Brent or CO2 per day from the first to the last day, inclusive, in no particular order.';
