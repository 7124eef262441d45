-- The figures of /v1/trading/vitals. The PUN is of the day itself; gas and allowances are not priced every day, so the latest value
-- of the seven days before stands for them.

-- High, low and close of each whole day. The PUN has its lowest and highest hour and the day's mean as close; what is published
-- once a day, and a PUN whose hours are not at hand, has only closes.
create or replace function asset_daily_ranges(p_asset text, p_from date, p_to date)
returns table (market_day date, high double precision, low double precision, close double precision)
language sql stable parallel safe as $$
  select z.market_day, z.hour_max_eur_mwh, z.hour_min_eur_mwh, z.price_eur_mwh
  from zone_prices_daily z
  where p_asset = 'PUN' and z.zone = 'nazionale'
    and z.starts_at >= market_day_start(p_from) and z.starts_at < market_day_start(p_to + 1)
    and z.minutes = z.expected_minutes
  union all
  select d.market_day, d.price, d.price, d.price
  from daily_prices d
  where d.asset = p_asset and d.market_day between p_from and p_to
    and not (p_asset = 'PUN' and exists (
      select from zone_prices_daily z
      where z.zone = 'nazionale' and z.starts_at = market_day_start(d.market_day) and z.minutes = z.expected_minutes
    ))
$$;
comment on function asset_daily_ranges(text, date, date) is
  'High, low and close of an index per day from the first to the last day, inclusive, in no particular order.';

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

-- Wilder's smoothing forgets: what lies two years back weighs less than a binary digit of the price, so no more is read.
create or replace function average_true_range(p_asset text, p_day date, p_periods integer) returns double precision
language sql stable parallel safe as $$
  select wilder_atr(high, low, close, p_periods order by market_day)
  from asset_daily_ranges(p_asset, p_day - 730, p_day)
$$;
comment on function average_true_range(text, date, integer) is
  'Wilder''s Average True Range of an index on a day; null where fewer days than periods, and the one before, are there.';

-- Always one row; what is missing is null in it, so that the caller can say what.
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
language sql stable parallel safe as $$
  select
    pun.price,
    psv.price, psv.market_day,
    ttf.price, ttf.market_day,
    co2.price, co2.market_day,
    spark_spread(pun.price, psv.price, p_efficiency),
    clean_spark_spread(pun.price, psv.price, co2.price, p_efficiency, p_emission_factor),
    psv_ttf_spread(psv.price, ttf.price),
    average_true_range('PUN', p_day, 14),
    average_true_range('PSV', p_day, 14),
    array_remove(array[pun.source_first, pun.source_last, psv.source, ttf.source, co2.source], null)
  from (select) as always
  left join lateral asset_daily_prices('PUN', p_day, p_day) pun on true
  left join lateral price_before('PSV', p_day) psv on true
  left join lateral price_before('TTF', p_day) ttf on true
  left join lateral price_before('CO2', p_day) co2 on true
$$;
comment on function trading_vitals(date, double precision, double precision) is
  'Spreads and Average True Ranges of a market day, €/MWh, with the prices they are made of.';

-- No later day can have all prices than the one a week after the last of the index that ended first; from there backwards.
create or replace function latest_vitals_day(p_not_after date) returns date
language sql stable parallel safe as $$
  with bound as materialized (
    select least(p_not_after, min(latest) + 7) as last_day
    from (
      select (select max(d.market_day) from daily_prices d where d.asset = fuel) as latest
      from unnest(array['PSV', 'TTF', 'CO2']) as fuel
    ) fuels
    having count(latest) = 3
  )
  select max(day) from (
    (
      select z.market_day as day
      from bound b, zone_prices_daily z
      where z.zone = 'nazionale' and z.starts_at <= market_day_start(b.last_day) and z.minutes = z.expected_minutes
        and exists (select from price_before('CO2', z.market_day))
        and exists (select from price_before('TTF', z.market_day))
        and exists (select from price_before('PSV', z.market_day))
      order by z.starts_at desc
      limit 1
    )
    union all
    (
      select d.market_day
      from bound b, daily_prices d
      where d.asset = 'PUN' and d.market_day <= b.last_day
        and exists (select from price_before('CO2', d.market_day))
        and exists (select from price_before('TTF', d.market_day))
        and exists (select from price_before('PSV', d.market_day))
      order by d.market_day desc
      limit 1
    )
  ) candidates
$$;
comment on function latest_vitals_day(date) is
  'The latest market day, not after the one given, for which PUN, PSV, TTF and CO2 are there; null where there is none.';
