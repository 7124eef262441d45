-- Functions on zone hours, for analysts. Spans are market days, last day included. clock_hour is the hour in Rome, 0 to 23, so the hour
-- repeated in October counts twice. Functions run with the rights of the reader, so they read only views of this schema.

create or replace function analytics.zone_spreads(zone_a text, zone_b text, first_day date, last_day date)
returns table (
  starts_at timestamptz, ends_at timestamptz, market_day date, clock_hour integer,
  price_a_eur_mwh double precision, price_b_eur_mwh double precision, spread_eur_mwh double precision
)
language sql stable parallel safe
begin atomic
  select
    a.starts_at, a.ends_at, a.market_day, extract(hour from a.starts_at at time zone 'Europe/Rome')::integer,
    a.price_eur_mwh, b.price_eur_mwh, a.price_eur_mwh - b.price_eur_mwh
  from analytics.prices_by_hour a
  join analytics.prices_by_hour b on b.starts_at = a.starts_at
  where a.zone = zone_a and b.zone = zone_b and a.price_eur_mwh is not null and b.price_eur_mwh is not null
    and a.starts_at >= market_day_start(first_day) and a.starts_at < market_day_start(last_day + 1)
    and b.starts_at >= market_day_start(first_day) and b.starts_at < market_day_start(last_day + 1);
end;
comment on function analytics.zone_spreads(text, text, date, date) is
  'Price of the first zone minus that of the second, €/MWh, for every hour in which both are complete; nazionale is the PUN.';

-- Hourly means of quarter-hours can differ by exactly half a cent, which may be slightly less in binary floating point.
create or replace function analytics.zone_spread_distribution(zone_a text, zone_b text, first_day date, last_day date)
returns table (
  clock_hour integer, hours bigint, mean_eur_mwh double precision, p05_eur_mwh double precision, p25_eur_mwh double precision,
  median_eur_mwh double precision, p75_eur_mwh double precision, p95_eur_mwh double precision, above_zero_share double precision,
  equal_share double precision
)
language sql stable parallel safe
begin atomic
  select
    s.clock_hour, count(*), avg(s.spread_eur_mwh),
    percentile_cont(0.05) within group (order by s.spread_eur_mwh),
    percentile_cont(0.25) within group (order by s.spread_eur_mwh),
    percentile_cont(0.5) within group (order by s.spread_eur_mwh),
    percentile_cont(0.75) within group (order by s.spread_eur_mwh),
    percentile_cont(0.95) within group (order by s.spread_eur_mwh),
    avg((s.spread_eur_mwh >= 0.005 - 1e-9)::integer)::double precision,
    avg((abs(s.spread_eur_mwh) < 0.005 - 1e-9)::integer)::double precision
  from analytics.zone_spreads(zone_a, zone_b, first_day, last_day) s
  group by s.clock_hour
  order by s.clock_hour;
end;
comment on function analytics.zone_spread_distribution(text, text, date, date) is
  'Distribution of the spread of two zones by hour of the clock, €/MWh. Prices less than half a cent apart are equal.';

create or replace function analytics.zone_convergence(zone text, first_day date, last_day date)
returns table (month date, other_zone text, hours bigint, equal_hours bigint, equal_share double precision)
language sql stable parallel safe
begin atomic
  select
    date_trunc('month', a.market_day::timestamp)::date, b.zone, count(*),
    count(*) filter (where abs(a.price_eur_mwh - b.price_eur_mwh) < 0.005 - 1e-9),
    avg((abs(a.price_eur_mwh - b.price_eur_mwh) < 0.005 - 1e-9)::integer)::double precision
  from analytics.prices_by_hour a
  join analytics.prices_by_hour b on b.starts_at = a.starts_at
  where a.zone = zone_convergence.zone and b.zone not in (zone_convergence.zone, 'nazionale')
    and a.price_eur_mwh is not null and b.price_eur_mwh is not null
    and a.starts_at >= market_day_start(first_day) and a.starts_at < market_day_start(last_day + 1)
    and b.starts_at >= market_day_start(first_day) and b.starts_at < market_day_start(last_day + 1)
  group by date_trunc('month', a.market_day::timestamp), b.zone
  order by 1, 2;
end;
comment on function analytics.zone_convergence(text, date, date) is
  'By month and other market zone: the hours in which both have a price, and those in which it is equal, less than half a cent apart.';

create or replace function analytics.hours_at_level(level_eur_mwh double precision, first_day date, last_day date)
returns table (zone text, month date, hours bigint, hours_below bigint, hours_at bigint, hours_above bigint)
language sql stable parallel safe
begin atomic
  select
    p.zone, date_trunc('month', p.market_day::timestamp)::date, count(*), count(*) filter (where v.price < v.level),
    count(*) filter (where v.price = v.level), count(*) filter (where v.price > v.level)
  from analytics.prices_by_hour p
  cross join lateral (select published_price(p.price_eur_mwh), published_price(level_eur_mwh)) as v (price, level)
  where p.price_eur_mwh is not null
    and p.starts_at >= market_day_start(first_day) and p.starts_at < market_day_start(last_day + 1)
  group by p.zone, date_trunc('month', p.market_day::timestamp);
end;
comment on function analytics.hours_at_level(double precision, date, date) is
  'Hours below, at and above a price by zone and month, of the hours that are complete.';

create or replace function analytics.duration_curve(zone text, first_day date, last_day date)
returns table (rank bigint, share_of_hours double precision, price_eur_mwh double precision, starts_at timestamptz)
language sql stable parallel safe
begin atomic
  select
    rank() over dearest, cume_dist() over dearest, p.price_eur_mwh, p.starts_at
  from analytics.prices_by_hour p
  where p.zone = duration_curve.zone and p.price_eur_mwh is not null
    and p.starts_at >= market_day_start(first_day) and p.starts_at < market_day_start(last_day + 1)
  window dearest as (order by published_price(p.price_eur_mwh) desc)
  order by 1, p.starts_at;
end;
comment on function analytics.duration_curve(text, date, date) is
  'The hours of a zone from the dearest to the cheapest: the price is reached or exceeded in that share of the hours.';

create or replace function analytics.volatility_by_hour(zone text, first_day date, last_day date)
returns table (
  clock_hour integer, hours bigint, mean_eur_mwh double precision, stddev_eur_mwh double precision,
  day_change_stddev_eur_mwh double precision
)
language sql stable parallel safe
begin atomic
  select
    p.clock_hour, count(*), avg(p.price_eur_mwh), stddev_samp(p.price_eur_mwh), stddev_samp(p.day_change)
  from (
    select
      extract(hour from h.starts_at at time zone 'Europe/Rome')::integer as clock_hour, h.price_eur_mwh,
      h.price_eur_mwh - lag(h.price_eur_mwh) over (
        partition by extract(hour from h.starts_at at time zone 'Europe/Rome') order by h.starts_at
      ) as day_change
    from analytics.prices_by_hour h
    where h.zone = volatility_by_hour.zone and h.price_eur_mwh is not null
      and h.starts_at >= market_day_start(first_day) and h.starts_at < market_day_start(last_day + 1)
  ) p
  group by p.clock_hour
  order by p.clock_hour;
end;
comment on function analytics.volatility_by_hour(text, date, date) is
  'Mean and standard deviation of the price by hour of the clock, and of its change from the previous such hour, €/MWh.';

create or replace function analytics.capture_prices(zone text, series text, area text, first_day date, last_day date)
returns table (
  month date, hours bigint, energy_mwh double precision, baseload_eur_mwh double precision, capture_eur_mwh double precision,
  capture_rate double precision
)
language sql stable parallel safe
begin atomic
  select
    date_trunc('month', p.market_day::timestamp)::date, count(*), sum(f.value), avg(p.price_eur_mwh),
    sum(p.price_eur_mwh * f.value) / nullif(sum(f.value), 0),
    sum(p.price_eur_mwh * f.value) / nullif(sum(f.value), 0) / nullif(avg(p.price_eur_mwh), 0)
  from analytics.prices_by_hour p
  join analytics.fundamentals_by_hour f on f.starts_at = p.starts_at
  where p.zone = capture_prices.zone and f.series = capture_prices.series and f.area = capture_prices.area
    and p.price_eur_mwh is not null and f.value is not null
    and p.starts_at >= market_day_start(first_day) and p.starts_at < market_day_start(last_day + 1)
    and f.starts_at >= market_day_start(first_day) and f.starts_at < market_day_start(last_day + 1)
  group by date_trunc('month', p.market_day::timestamp)
  order by 1;
end;
comment on function analytics.capture_prices(text, text, text, date, date) is
  'By month, what generation (generation-solar, generation-wind-onshore and so on of an area) earns on average in a zone, €/MWh, and its share of the mean price of the same hours.';

create or replace function analytics.profile_capture_prices(zone text, weights double precision[], first_day date, last_day date)
returns table (
  month date, hours bigint, baseload_eur_mwh double precision, capture_eur_mwh double precision, capture_rate double precision
)
language sql stable parallel safe
begin atomic
  select
    date_trunc('month', p.market_day::timestamp)::date, count(*), avg(p.price_eur_mwh),
    sum(p.price_eur_mwh * p.weight) / nullif(sum(p.weight), 0),
    sum(p.price_eur_mwh * p.weight) / nullif(sum(p.weight), 0) / nullif(avg(p.price_eur_mwh), 0)
  from (
    select
      h.market_day, h.price_eur_mwh, weights[1 + extract(hour from h.starts_at at time zone 'Europe/Rome')::integer] as weight
    from analytics.prices_by_hour h
    where h.zone = profile_capture_prices.zone and h.price_eur_mwh is not null
      and h.starts_at >= market_day_start(first_day) and h.starts_at < market_day_start(last_day + 1)
  ) p
  group by date_trunc('month', p.market_day::timestamp)
  order by 1;
end;
comment on function analytics.profile_capture_prices(text, double precision[], date, date) is
  'The same for a profile of one''s own: 24 weights, the first for 0:00 to 1:00 in Rome.';

create or replace view analytics.clean_spark_spreads_by_hour as
select
  p.zone, p.starts_at, p.ends_at, p.market_day, p.hour, p.price_eur_mwh, psv.price as psv_eur_mwh, psv.market_day as psv_day,
  co2.price as co2_eur_t, co2.market_day as co2_day,
  spark_spread(p.price_eur_mwh, psv.price, 0.53) as spark_spread_eur_mwh,
  clean_spark_spread(p.price_eur_mwh, psv.price, co2.price, 0.53, 0.202) as clean_spark_spread_eur_mwh
from analytics.prices_by_hour p
left join lateral (
  select d.market_day, d.price from daily_prices d
  where d.asset = 'PSV' and d.market_day between p.market_day - 7 and p.market_day
  order by d.market_day desc limit 1
) psv on true
left join lateral (
  select d.market_day, d.price from daily_prices d
  where d.asset = 'CO2' and d.market_day between p.market_day - 7 and p.market_day
  order by d.market_day desc limit 1
) co2 on true;
comment on view analytics.clean_spark_spreads_by_hour is
  'Margin of a gas-fired plant in each hour: efficiency 53%, 0.202 t of CO2 per MWh of gas. Gas and allowances of the day, else the latest of the seven days before. Fast where zone and a span of starts_at are given.';
comment on column analytics.clean_spark_spreads_by_hour.zone is 'Zone of the day-ahead market; nazionale is the PUN.';
comment on column analytics.clean_spark_spreads_by_hour.starts_at is 'Instant at which the hour begins.';
comment on column analytics.clean_spark_spreads_by_hour.ends_at is 'Instant at which the next hour begins.';
comment on column analytics.clean_spark_spreads_by_hour.market_day is 'Calendar day in Europe/Rome.';
comment on column analytics.clean_spark_spreads_by_hour.hour is 'Market hour from 1, by elapsed time.';
comment on column analytics.clean_spark_spreads_by_hour.price_eur_mwh is 'Price of power, €/MWh.';
comment on column analytics.clean_spark_spreads_by_hour.psv_eur_mwh is 'Price of gas at the PSV, €/MWh.';
comment on column analytics.clean_spark_spreads_by_hour.psv_day is 'Its day.';
comment on column analytics.clean_spark_spreads_by_hour.co2_eur_t is 'Price of an allowance, €/tCO2.';
comment on column analytics.clean_spark_spreads_by_hour.co2_day is 'Its day.';
comment on column analytics.clean_spark_spreads_by_hour.spark_spread_eur_mwh is 'Power less the gas for it, €/MWh.';
comment on column analytics.clean_spark_spreads_by_hour.clean_spark_spread_eur_mwh is 'The same less the allowances for what is burnt, €/MWh.';
