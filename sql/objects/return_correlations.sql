-- Correlation of the returns of indices. Each pair is compared on the days on which both indices have a value, so that both returns
-- span the same days. A return from a price of zero or below is undefined and is left out.

create or replace function simple_return(p_price double precision, p_previous double precision) returns double precision
language sql immutable parallel safe
return case when p_previous > 0 then p_price / p_previous - 1 end;
comment on function simple_return(double precision, double precision) is
  'Relative change since the previous price; null where that is not above zero.';

-- The latest day on which all of the indices are known: the last day of the index that ends first.
create or replace function latest_common_day(p_assets text[], p_not_after date) returns date
language plpgsql stable parallel safe set plan_cache_mode = force_generic_plan as $$
declare
  v_last_days date[] := array(
    select greatest(
      (select max(d.market_day) from daily_prices d where d.asset = a.asset and d.market_day <= p_not_after),
      (
        select z.market_day
        from zone_prices_daily z
        where a.asset = 'PUN' and z.zone = 'nazionale' and z.starts_at <= market_day_start(p_not_after)
          and z.minutes = z.expected_minutes
        order by z.starts_at desc
        limit 1
      )
    )
    from unnest(p_assets) as a(asset)
  );
begin
  return case when array_position(v_last_days, null) is null then (select min(last_day) from unnest(v_last_days) as last_day) end;
end $$;
comment on function latest_common_day(text[], date) is
  'The latest day, not after the given one, up to which every index is known; null if one of them has no price.';

-- The plan is the same for every window, and planning would cost more than execution.
create or replace function return_correlations(p_assets text[], p_window_days integer, p_last_day date)
returns table (asset_a text, asset_b text, returns integer, correlation double precision, sources text[])
language plpgsql stable parallel safe set plan_cache_mode = force_generic_plan as $$
begin
  return query
  with prices as materialized (
    select r.asset, array_position(p_assets, r.asset) as position, r.market_day, r.close, r.source_first, r.source_last
    from asset_daily_ranges(p_assets, p_last_day - p_window_days, p_last_day) r
  ), pairs as (
    select
      a.asset as first_asset,
      b.asset as second_asset,
      simple_return(a.close, lag(a.close) over days) as first_return,
      simple_return(b.close, lag(b.close) over days) as second_return,
      least(a.source_first, b.source_first) as source_first,
      greatest(a.source_last, b.source_last) as source_last
    from prices a
    join prices b on b.market_day = a.market_day and b.position >= a.position
    window days as (partition by a.asset, b.asset order by a.market_day)
  )
  select
    p.first_asset,
    p.second_asset,
    regr_count(p.first_return, p.second_return)::integer,
    -- Rounding may exceed 1. Null, where a price did not move, must stay null, which least and greatest alone would not ensure.
    case
      when abs(corr(p.first_return, p.second_return)) > 1 then sign(corr(p.first_return, p.second_return))
      else corr(p.first_return, p.second_return)
    end,
    array[min(p.source_first), max(p.source_last)]
  from pairs p
  group by p.first_asset, p.second_asset;
end $$;
comment on function return_correlations(text[], integer, date) is
  'Pearson correlation of the daily simple returns of each pair of indices, each with itself among them, over the window of days that ends on a day.';
