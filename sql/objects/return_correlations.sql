-- Correlation of the returns of indices. Two indices are compared on the days on which both have a value, so that both returns of
-- a pair span the same days; a return from a price of zero or below has no meaning and is left out.

create or replace function simple_return(p_price double precision, p_previous double precision) returns double precision
language sql immutable parallel safe
return case when p_previous > 0 then p_price / p_previous - 1 end;
comment on function simple_return(double precision, double precision) is
  'Relative change since the previous price; null where that is not above zero.';

create or replace function latest_price_day(p_asset text, p_not_after date) returns date
language sql stable parallel safe as $$
  select greatest(
    (select max(d.market_day) from daily_prices d where d.asset = p_asset and d.market_day <= p_not_after),
    (
      select z.market_day
      from zone_prices_daily z
      where p_asset = 'PUN' and z.zone = 'nazionale' and z.starts_at <= market_day_start(p_not_after)
        and z.minutes = z.expected_minutes
      order by z.starts_at desc
      limit 1
    )
  )
$$;
comment on function latest_price_day(text, date) is 'The latest whole day of an index that is not after a day; null where there is none.';

create or replace function return_correlations(p_assets text[], p_window_days integer, p_last_day date)
returns table (asset_a text, asset_b text, returns integer, correlation double precision, sources text[])
language sql stable parallel safe as $$
  with prices as materialized (
    select a.position, a.asset, p.market_day, p.price, p.source_first, p.source_last
    from unnest(p_assets) with ordinality as a(asset, position)
    cross join lateral asset_daily_prices(a.asset, p_last_day - p_window_days, p_last_day) p
  ), pairs as (
    select
      a.asset as asset_a,
      b.asset as asset_b,
      simple_return(a.price, lag(a.price) over days) as return_a,
      simple_return(b.price, lag(b.price) over days) as return_b,
      array[a.source_first, a.source_last, b.source_first, b.source_last] as sources
    from prices a
    join prices b on b.market_day = a.market_day and b.position >= a.position
    window days as (partition by a.position, b.position order by a.market_day)
  )
  select
    asset_a,
    asset_b,
    regr_count(return_a, return_b)::integer,
    -- Rounding may carry it beyond 1; null, where a price did not move, stays null, which least and greatest would not leave it.
    case when abs(corr(return_a, return_b)) > 1 then sign(corr(return_a, return_b)) else corr(return_a, return_b) end,
    array(select distinct unnest(array_agg(pairs.sources)))
  from pairs
  group by asset_a, asset_b
$$;
comment on function return_correlations(text[], integer, date) is
  'Pearson correlation of the daily simple returns of each pair of indices, each with itself among them, over the window of days that ends on a day.';
