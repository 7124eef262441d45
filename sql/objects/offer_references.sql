-- Reference prices for the offers of a day, €/kWh. A month is full if every day of it has a price. Its electricity average is the mean
-- over all hours, so days are weighted by their length. The trailing average covers the 30 days before the day.
create or replace function offer_references(p_from date, p_to date)
returns table (
  day date, commodity text, asset text, month date, month_average_eur_kwh double precision, trailing_average_eur_kwh double precision
)
language sql stable parallel safe as $$
  with spans (commodity, asset, first_day) as (
    select c.commodity, c.asset, (date_trunc('month', p_from::timestamp) - interval '3 months')::date
    from (values ('luce', 'PUN'), ('gas', 'PSV')) as c (commodity, asset)
  ), prices as (
    select s.commodity, p.market_day, p.price / 1000 as price,
           case s.asset when 'PUN' then market_day_minutes(p.market_day) else 1440 end as weight
    from spans s cross join lateral asset_daily_prices(s.asset, s.first_day, p_to) as p
  ), full_months as ( -- summed in order, so that the same days give the same average to the last bit
    select commodity, date_trunc('month', market_day::timestamp)::date as month, sum(price * weight order by market_day) / sum(weight) as average
    from prices
    group by 1, 2
    having count(*) = extract(day from date_trunc('month', min(market_day)::timestamp) + interval '1 month' - interval '1 day')
  ), days as (
    select s.commodity, s.asset, d::date as day,
           avg(p.price) over last_days as average, count(p.price) over last_days as days_with_price
    from spans s
    cross join generate_series(s.first_day::timestamp, p_to::timestamp, interval '1 day') as d
    left join prices p on p.commodity = s.commodity and p.market_day = d::date
    window last_days as (partition by s.commodity order by d rows between 30 preceding and 1 preceding)
  )
  select d.day, d.commodity, d.asset, m.month, m.average, case when d.days_with_price >= 20 then d.average end
  from days d
  left join lateral (
    select f.month, f.average
    from full_months f
    where f.commodity = d.commodity
      and f.month + interval '1 month' <= d.day
      and f.month >= date_trunc('month', d.day::timestamp) - interval '3 months'
    order by f.month desc
    limit 1
  ) as m on true
  where d.day between p_from and p_to
$$;
comment on function offer_references(date, date) is
  'Per day and commodity the average of the last full month (at most three months back) and of the 30 days before (at least 20 of them), of PUN or PSV in €/kWh; null where there is none.';

create or replace function asset_price_sources(p_asset text, p_from date, p_to date) returns text[]
language sql stable parallel safe as $$
  select array_agg(distinct source)
  from asset_daily_prices(p_asset, p_from, p_to) as p
  cross join lateral unnest(array[p.source_first, p.source_last]) as source
$$;
comment on function asset_price_sources(text, date, date) is 'Publishers of the daily prices of an index over some days, null where there are none.';
