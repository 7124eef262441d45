-- Daily price of an index as it was known at an instant: the values that had been read by then and not yet been replaced. The PUN is
-- made from the intervals themselves, since the aggregates hold only what is current.
create or replace function asset_daily_prices_as_of(p_asset text, p_from date, p_to date, p_as_of timestamptz)
returns table (market_day date, price double precision, observed_at timestamptz, source_first text, source_last text)
language sql stable parallel safe as $$
  with intervals as (
    select i.market_day, i.resolution_minutes, i.price_eur_mwh, i.observed_at, i.source
    from price_intervals i
    where p_asset = 'PUN' and i.zone = 'nazionale' and i.fetched_at <= p_as_of
      and i.starts_at >= market_day_start(p_from) and i.starts_at < market_day_start(p_to + 1)
    union all
    select r.market_day, r.resolution_minutes, r.price_eur_mwh, r.observed_at, r.source
    from price_interval_revisions r
    where p_asset = 'PUN' and r.zone = 'nazionale' and r.fetched_at <= p_as_of and r.superseded_at > p_as_of
      and r.starts_at >= market_day_start(p_from) and r.starts_at < market_day_start(p_to + 1)
  ), whole_days as (
    select market_day, sum(price_eur_mwh * resolution_minutes) / sum(resolution_minutes) as price,
           max(observed_at) as observed_at, min(source) as source_first, max(source) as source_last
    from intervals
    group by market_day
    having sum(resolution_minutes) = market_day_minutes(market_day)
  ), stated as (
    select d.market_day, d.price, d.observed_at, d.source
    from daily_prices d
    where d.asset = p_asset and d.market_day between p_from and p_to and d.fetched_at <= p_as_of
    union all
    select r.market_day, r.price, r.observed_at, r.source
    from daily_price_revisions r
    where r.asset = p_asset and r.market_day between p_from and p_to and r.fetched_at <= p_as_of and r.superseded_at > p_as_of
  )
  select market_day, price, observed_at, source_first, source_last from whole_days
  union all
  select s.market_day, s.price, s.observed_at, s.source, s.source from stated s
  where not exists (select from whole_days w where w.market_day = s.market_day)
$$;
comment on function asset_daily_prices_as_of(text, date, date, timestamptz) is
  'asset_daily_prices as it would have answered at the instant.';
