-- The figures of /v1/trading/vitals. The PUN is that of the day itself. Gas and allowances are not priced every day, so their latest value
-- on the day or in the seven days before is used.

create or replace function price_before(p_asset text, p_day date)
returns table (market_day date, price double precision, source text)
language sql stable parallel safe as $$
  select d.market_day, d.price, d.source
  from daily_prices d
  where d.asset = p_asset and d.market_day between p_day - 7 and p_day
  order by d.market_day desc
  limit 1
$$;
comment on function price_before(text, date) is
  'The latest price of PSV, TTF, Brent or CO2 on the day or in the seven days before it; no row where there is none.';

-- Always returns one row; missing values are null, so that the caller can name them. Wilder's smoothing decays: a value a year old weighs
-- less than the last decimal shown, so only one year is read. The plan is the same for every day, and planning would cost more than
-- execution.
create or replace function trading_vitals(p_day date, p_efficiency double precision, p_emission_factor double precision)
returns table (
  pun double precision,
  psv double precision, psv_day date,
  ttf double precision, ttf_day date,
  co2 double precision, co2_day date,
  spark_spread double precision,
  clean_spark_spread double precision,
  psv_ttf_spread double precision,
  atr_14d_pun double precision,
  atr_14d_psv double precision,
  sources text[]
)
language plpgsql stable parallel safe set plan_cache_mode = force_generic_plan as $$
begin
  return query
  with year as materialized (
    select r.*, r.asset = 'PUN' as is_pun, r.asset = 'PSV' as is_psv
    from asset_daily_ranges(array['PUN', 'PSV'], p_day - 365, p_day) r
  ), ranges as (
    select
      wilder_atr(high, low, close, 14 order by market_day) filter (where is_pun) as pun,
      wilder_atr(high, low, close, 14 order by market_day) filter (where is_psv) as psv
    from year
  )
  select
    pun.close,
    psv.price, psv.market_day,
    ttf.price, ttf.market_day,
    co2.price, co2.market_day,
    spark_spread(pun.close, psv.price, p_efficiency),
    clean_spark_spread(pun.close, psv.price, co2.price, p_efficiency, p_emission_factor),
    psv_ttf_spread(psv.price, ttf.price),
    ranges.pun,
    ranges.psv,
    array_remove(array[pun.source_first, pun.source_last, psv.source, ttf.source, co2.source], null)
  from ranges
  left join year pun on pun.is_pun and pun.market_day = p_day
  left join lateral price_before('PSV', p_day) psv on true
  left join lateral price_before('TTF', p_day) ttf on true
  left join lateral price_before('CO2', p_day) co2 on true;
end $$;
comment on function trading_vitals(date, double precision, double precision) is
  'Spreads and Average True Ranges of a market day, €/MWh, with the prices they are made of.';

-- All prices can only be known up to a week after the last day of the index that ends first; search backwards from there.
create or replace function latest_vitals_day(p_not_after date) returns date
language plpgsql stable parallel safe set plan_cache_mode = force_generic_plan as $$
declare
  v_last_day date := (
    select least(p_not_after, min(latest) + 7)
    from (
      select (select max(d.market_day) from daily_prices d where d.asset = fuel) as latest
      from unnest(array['PSV', 'TTF', 'CO2']) as fuel
    ) fuels
    having count(latest) = 3
  );
begin
  return greatest(
    (
      select z.market_day
      from zone_prices_daily z
      where z.zone = 'nazionale' and z.starts_at <= market_day_start(v_last_day) and z.minutes = z.expected_minutes
        and exists (select from price_before('CO2', z.market_day))
        and exists (select from price_before('TTF', z.market_day))
        and exists (select from price_before('PSV', z.market_day))
      order by z.starts_at desc
      limit 1
    ),
    (
      select d.market_day
      from daily_prices d
      where d.asset = 'PUN' and d.market_day <= v_last_day
        and exists (select from price_before('CO2', d.market_day))
        and exists (select from price_before('TTF', d.market_day))
        and exists (select from price_before('PSV', d.market_day))
      order by d.market_day desc
      limit 1
    )
  );
end $$;
comment on function latest_vitals_day(date) is
  'The latest market day, not after the one given, for which PUN, PSV, TTF and CO2 are known; null if there is none.';
