-- Functions on daily prices, for analysts: any index or zone by name. Functions run with the rights of the reader, so they read only
-- views of this schema. Windows are calendar days and end on the day of the row.

create or replace view analytics.daily_series as
select asset as series, market_day, price, unit, is_synthetic from analytics.price_index
union all
select zone, market_day, price_eur_mwh, '€/MWh', is_synthetic from analytics.prices_by_day where is_complete and zone <> 'nazionale';
comment on view analytics.daily_series is 'Daily price of every index and market zone under one name: PUN, PSV, TTF, Brent, CO2, nord, sud and so on. Complete days.';
comment on column analytics.daily_series.series is 'Code of an index (PUN, PSV, TTF, Brent, CO2) or of a market zone.';
comment on column analytics.daily_series.market_day is 'The day.';
comment on column analytics.daily_series.price is 'In the unit beside it.';
comment on column analytics.daily_series.unit is 'Unit of the price.';
comment on column analytics.daily_series.is_synthetic is 'True where any of it is sample data.';

create or replace view analytics.same_day_last_year as
select
  d.series, d.market_day, d.price, d.unit,
  y.price as price_a_year_before, d.price - y.price as change, d.price / nullif(y.price, 0) - 1 as change_share,
  w.price as price_364_days_before
from analytics.daily_series d
left join analytics.daily_series y on y.series = d.series and y.market_day = (d.market_day - interval '1 year')::date
left join analytics.daily_series w on w.series = d.series and w.market_day = d.market_day - 364;
comment on view analytics.same_day_last_year is 'Each daily price beside that of the year before, by date and by weekday. Fast where series is given.';
comment on column analytics.same_day_last_year.series is 'Code of an index or of a market zone.';
comment on column analytics.same_day_last_year.market_day is 'The day.';
comment on column analytics.same_day_last_year.price is 'In the unit beside it.';
comment on column analytics.same_day_last_year.unit is 'Unit of all prices of the row.';
comment on column analytics.same_day_last_year.price_a_year_before is 'Of the same date; of 29 February that of the 28th. Null where there was no price.';
comment on column analytics.same_day_last_year.change is 'Price minus that of a year before.';
comment on column analytics.same_day_last_year.change_share is 'The same as a share of it: 0.1 is 10% more.';
comment on column analytics.same_day_last_year.price_364_days_before is 'Of the same weekday, 52 weeks before.';

create or replace view analytics.year_to_date as
select
  d.series, d.market_day, d.price, d.unit,
  sum(d.price * d.weight) over so_far / sum(d.weight) over so_far as mean_since_january,
  count(*) over so_far as days_since_january
from (
  select s.*, case when s.unit = '€/MWh' and s.series not in ('PSV', 'TTF') then market_day_minutes(s.market_day) else 1 end as weight
  from analytics.daily_series s
) d
window so_far as (partition by d.series, extract(year from d.market_day) order by d.market_day);
comment on view analytics.year_to_date is
  'Mean of each year from 1 January to each of its days; of power over all hours, of the other indices over the days that have a price.';
comment on column analytics.year_to_date.series is 'Code of an index or of a market zone.';
comment on column analytics.year_to_date.market_day is 'The day.';
comment on column analytics.year_to_date.price is 'Price of the day, in the unit beside it.';
comment on column analytics.year_to_date.unit is 'Unit of price and mean.';
comment on column analytics.year_to_date.mean_since_january is 'Mean from 1 January to the day.';
comment on column analytics.year_to_date.days_since_january is 'Days with a price in it.';

create or replace function analytics.recovery_from_peak(series text, first_day date, last_day date)
returns table (
  market_day date, price double precision, trough_day date, trough double precision, peak_day date, peak double precision,
  recovery_share double precision
)
language sql stable parallel safe
begin atomic
  with days as (
    select d.market_day, d.price from analytics.daily_series d
    where d.series = recovery_from_peak.series and d.market_day between first_day and last_day
  ), peak as (
    select d.market_day, d.price from days d order by d.price desc, d.market_day limit 1
  ), trough as (
    select d.market_day, d.price from days d, peak p where d.market_day < p.market_day order by d.price, d.market_day desc limit 1
  )
  select
    d.market_day, d.price, t.market_day, t.price, p.market_day, p.price,
    (p.price - d.price) / nullif(p.price - t.price, 0)
  from days d cross join peak p left join trough t on true
  where d.market_day >= p.market_day
  order by d.market_day;
end;
comment on function analytics.recovery_from_peak(text, date, date) is
  'The days from the highest price of a span on, and how much of the rise from the lowest price before it has been given back: 0 at the peak, 1 at the trough''s price, above 1 below it. Null where the peak is the first day.';

create or replace function analytics.rolling_volatility(series text, window_days integer, first_day date, last_day date)
returns table (market_day date, price double precision, day_return double precision, returns bigint, volatility_per_day double precision)
language sql stable parallel safe
begin atomic
  select r.market_day, r.price, r.day_return, r.returns, r.volatility
  from (
    select
      d.market_day, d.price, d.day_return,
      count(d.day_return) over so_far as returns,
      case when min(d.market_day) over () <= d.market_day - window_days then stddev_samp(d.day_return) over so_far end as volatility
    from (
      select s.market_day, s.price, simple_return(s.price, lag(s.price) over (order by s.market_day)) as day_return
      from analytics.daily_series s
      where s.series = rolling_volatility.series and s.market_day between first_day - window_days - 10 and last_day
    ) d
    window so_far as (order by d.market_day range between make_interval(days => window_days - 1) preceding and current row)
  ) r
  where r.market_day >= first_day
  order by r.market_day;
end;
comment on function analytics.rolling_volatility(text, integer, date, date) is
  'Standard deviation of the daily simple returns of the last window_days calendar days, as a share (0.05 is 5%); null until the window is full. A return from a price of zero or below is left out.';

create or replace function analytics.rolling_correlation(series_a text, series_b text, window_days integer, first_day date, last_day date)
returns table (market_day date, returns bigint, correlation double precision, beta double precision)
language sql stable parallel safe
begin atomic
  select r.market_day, r.returns, r.correlation, r.beta
  from (
    select
      d.market_day,
      regr_count(d.return_a, d.return_b) over so_far as returns,
      case when min(d.market_day) over () <= d.market_day - window_days then corr(d.return_a, d.return_b) over so_far end as correlation,
      case when min(d.market_day) over () <= d.market_day - window_days then regr_slope(d.return_a, d.return_b) over so_far end as beta
    from (
      select
        a.market_day,
        simple_return(a.price, lag(a.price) over (order by a.market_day)) as return_a,
        simple_return(b.price, lag(b.price) over (order by a.market_day)) as return_b
      from analytics.daily_series a
      join analytics.daily_series b on b.market_day = a.market_day
      where a.series = series_a and b.series = series_b
        and a.market_day between first_day - window_days - 10 and last_day
        and b.market_day between first_day - window_days - 10 and last_day
    ) d
    window so_far as (order by d.market_day range between make_interval(days => window_days - 1) preceding and current row)
  ) r
  where r.market_day >= first_day
  order by r.market_day;
end;
comment on function analytics.rolling_correlation(text, text, integer, date, date) is
  'Pearson correlation of the daily simple returns of two series, and beta of the first on the second, over the last window_days calendar days, on days on which both have a price; null until the window is full.';
