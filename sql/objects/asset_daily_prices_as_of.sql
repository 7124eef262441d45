-- Daily prices of an index as they were known at an instant: values that had been read by then and not yet replaced. The PUN is the
-- mean of its intervals as they were known or, without hours, the daily value stated by a source.
create or replace function asset_daily_prices_as_of(p_asset text, p_from date, p_to date, p_as_of timestamptz)
returns table (market_day date, price double precision, observed_at timestamptz, source_first text, source_last text, basis text)
language sql stable parallel safe as $$
  with whole_days as (
    select z.market_day, z.price_eur_mwh as price, z.observed_at, z.source_first, z.source_last
    from zone_days_as_of('nazionale', p_from, p_to, p_as_of) z
    where p_asset = 'PUN'
  ), stated as (
    select d.market_day, d.price, d.observed_at, d.source
    from daily_prices d
    where d.asset = p_asset and d.market_day between p_from and p_to and d.fetched_at <= p_as_of
    union all
    select r.market_day, r.price, r.observed_at, r.source
    from daily_price_revisions r
    where r.asset = p_asset and r.market_day between p_from and p_to and r.fetched_at <= p_as_of and r.superseded_at > p_as_of
  )
  select market_day, price, observed_at, source_first, source_last, 'intervals' from whole_days
  union all
  select s.market_day, s.price, s.observed_at, s.source, s.source, case when p_asset = 'PUN' then 'daily_mean' end from stated s
  where not exists (select from whole_days w where w.market_day = s.market_day)
$$;
comment on function asset_daily_prices_as_of(text, date, date, timestamptz) is
  'asset_daily_prices as it would have answered at the instant.';
