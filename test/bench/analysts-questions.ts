/** The questions of `analysts.ts`, each in three ways; the column `value` of all rows adds up to the same in each. */
export interface Question {
  name: string
  /** Whether days or years of an aggregate answer it; else hours or intervals are read. */
  isAggregated: boolean
  views: string
  raw: string
  duck: string
}

/** €/MWh; no mean of four prices in cents, which might fall on either side of itself. */
const BELOW = 60.001
const ROME = (instant: string) => `(${instant} at time zone 'Europe/Rome')`
const SPAN_2025 = `starts_at >= '2024-12-31 23:00:00Z' and starts_at < '2025-12-31 23:00:00Z'`
/** Hours of the market day weighted as the sun shines on a spring day. */
const SUN = (hour: string) => `greatest(0, sin((${hour} - 6) * pi() / 12))`
const BAND = (instant: string, isHoliday: string) => `
  case
    when ${isHoliday} or extract(isodow from ${ROME(instant)}) = 7 then 'F3'
    when extract(isodow from ${ROME(instant)}) = 6 then
      case when extract(hour from ${ROME(instant)}) between 7 and 22 then 'F2' else 'F3' end
    when extract(hour from ${ROME(instant)}) between 8 and 18 then 'F1'
    when extract(hour from ${ROME(instant)}) in (7, 19, 20, 21, 22) then 'F2'
    else 'F3'
  end`
/** Days and hours of the intervals of a table, weighted by length. */
const DAYS_OF = (table: string, price: string, where: string) => `
  select zone, ${ROME('starts_at')}::date as day, sum(${price} * resolution_minutes) / sum(resolution_minutes) as price
  from ${table} where ${where} group by 1, 2`
const HOURS_OF = (table: string, price: string, where: string) => `
  select zone, date_trunc('hour', starts_at) as hour, sum(${price} * resolution_minutes) / sum(resolution_minutes) as price
  from ${table} where ${where} group by 1, 2`

/** The same in both, but for the names of table and price. */
function over(statement: (table: string, price: string) => string): Pick<Question, 'raw' | 'duck'> {
  return { raw: statement('price_intervals', 'price_eur_mwh'), duck: statement('intervals', 'eur_mwh') }
}

const correlation = (days: string) => `
  select case when row_number() over w >= 30 then corr(n, z) over w end as value from (
    select day, max(price) filter (where zone = 'nazionale') as n, max(price) filter (where zone = 'nord') as z
    from (${days}) d group by day
  ) pairs window w as (order by day rows between 29 preceding and current row)`

export const QUESTIONS: readonly Question[] = [
  {
    name: 'means by month, every zone, fifteen years',
    isAggregated: true,
    views: "select zone, month, price_eur_mwh as value from analytics.prices_by_month where month < date '2026-01-01'",
    ...over(
      (table, price) => `
        select zone, date_trunc('month', ${ROME('starts_at')}) as month,
          sum(${price} * resolution_minutes) / sum(resolution_minutes) as value
        from ${table} where starts_at < '2025-12-31 23:00:00Z' group by 1, 2`,
    ),
  },
  {
    name: 'means of each year, every zone',
    isAggregated: true,
    views: `
      select zone, extract(year from market_day) as year, sum(price_eur_mwh * minutes) / sum(minutes) as value
      from analytics.prices_by_day where market_day < date '2026-01-01' group by 1, 2`,
    ...over(
      (table, price) => `
        select zone, extract(year from ${ROME('starts_at')}) as year,
          sum(${price} * resolution_minutes) / sum(resolution_minutes) as value
        from ${table} where starts_at < '2025-12-31 23:00:00Z' group by 1, 2`,
    ),
  },
  {
    name: 'twenty days of the largest spread between hours',
    isAggregated: true,
    views: `
      select zone, market_day, hour_max_eur_mwh - hour_min_eur_mwh as value
      from analytics.prices_by_day where market_day < date '2026-01-01' order by 3 desc nulls last limit 20`,
    ...over(
      (table, price) => `
        select zone, ${ROME('hour')}::date as day, max(price) - min(price) as value
        from (${HOURS_OF(table, price, "starts_at < '2025-12-31 23:00:00Z'")}) h group by 1, 2 order by 3 desc limit 20`,
    ),
  },
  {
    name: 'correlation of a zone with the PUN over 30 days, rolling, fifteen years',
    isAggregated: true,
    views: correlation(`
      select zone, market_day as day, price_eur_mwh as price
      from analytics.prices_by_day where zone in ('nazionale', 'nord') and market_day < date '2026-01-01'`),
    ...over((table, price) =>
      correlation(DAYS_OF(table, price, `zone in ('nazionale', 'nord') and starts_at < '2025-12-31 23:00:00Z'`)),
    ),
  },
  {
    name: 'change of each month against the year before, every zone',
    isAggregated: true,
    views: `
      select a.zone, a.month, a.price_eur_mwh / b.price_eur_mwh as value
      from analytics.prices_by_month a
      join analytics.prices_by_month b on b.zone = a.zone and b.month = a.month - interval '1 year'
      where a.month >= date '2025-01-01' and a.month < date '2026-01-01' and b.month >= date '2024-01-01'`,
    ...over(
      (table, price) => `
        with months as (
          select zone, date_trunc('month', ${ROME('starts_at')}) as month,
            sum(${price} * resolution_minutes) / sum(resolution_minutes) as price
          from ${table} where starts_at >= '2023-12-31 23:00:00Z' and starts_at < '2025-12-31 23:00:00Z' group by 1, 2
        )
        select a.zone, a.month, a.price / b.price as value
        from months a join months b on b.zone = a.zone and b.month = a.month - interval '1 year'`,
    ),
  },
  {
    name: 'means by tariff band and month, the PUN in 2025',
    isAggregated: false,
    views: `
      select month, band, price_eur_mwh as value from analytics.prices_by_band_and_month
      where zone = 'nazionale' and month >= date '2025-01-01' and month < date '2026-01-01'`,
    ...over(
      (table, price) => `
        select date_trunc('month', ${ROME('starts_at')}) as month,
          ${BAND('starts_at', 'h.market_day is not null')} as band,
          sum(${price} * resolution_minutes) / sum(resolution_minutes) as value
        from ${table} p
        left join ${table === 'intervals' ? 'holidays' : 'analytics.holidays'} h on h.market_day = ${ROME('starts_at')}::date
        where zone = 'nazionale' and ${SPAN_2025} group by 1, 2`,
    ),
  },
  {
    name: 'capture price of a solar profile by month, the PUN in 2025',
    isAggregated: false,
    views: `
      select date_trunc('month', market_day) as month,
        sum(price_eur_mwh * ${SUN(`extract(hour from ${ROME('starts_at')})`)}) / sum(${SUN(`extract(hour from ${ROME('starts_at')})`)}) as value
      from analytics.prices_by_hour where zone = 'nazionale' and ${SPAN_2025} group by 1`,
    ...over(
      (table, price) => `
        select date_trunc('month', ${ROME('hour')}) as month,
          sum(price * ${SUN(`extract(hour from ${ROME('hour')})`)}) / sum(${SUN(`extract(hour from ${ROME('hour')})`)}) as value
        from (${HOURS_OF(table, price, `zone = 'nazionale' and ${SPAN_2025}`)}) h group by 1`,
    ),
  },
  {
    name: 'hours below a price by zone, 2025',
    isAggregated: false,
    views: `
      select zone, count(*) as value from analytics.prices_by_hour
      where ${SPAN_2025} and price_eur_mwh < ${BELOW} group by zone`,
    ...over(
      (table, price) => `
        select zone, count(*) as value from (${HOURS_OF(table, price, SPAN_2025)}) h where price < ${BELOW} group by zone`,
    ),
  },
  {
    name: 'ninetieth percentile of the hours by month, the PUN, fifteen years',
    isAggregated: false,
    views: `
      select date_trunc('month', market_day) as month, percentile_cont(0.9) within group (order by price_eur_mwh) as value
      from analytics.prices_by_hour where zone = 'nazionale' and starts_at < '2025-12-31 23:00:00Z' group by 1`,
    ...over(
      (table, price) => `
        select date_trunc('month', ${ROME('hour')}) as month, percentile_cont(0.9) within group (order by price) as value
        from (${HOURS_OF(table, price, `zone = 'nazionale' and starts_at < '2025-12-31 23:00:00Z'`)}) h group by 1`,
    ),
  },
  {
    name: 'the week of quarter-hours: mean by weekday and quarter, one zone, 2025',
    isAggregated: false,
    views: `
      select extract(isodow from ${ROME('starts_at')}) as weekday, ${ROME('starts_at')}::time as quarter, avg(price_eur_mwh) as value
      from analytics.prices_by_interval where zone = 'nord' and ${SPAN_2025} group by 1, 2`,
    ...over(
      (table, price) => `
        select extract(isodow from ${ROME('starts_at')}) as weekday, ${ROME('starts_at')}::time as quarter, avg(${price}) as value
        from ${table} where zone = 'nord' and ${SPAN_2025} group by 1, 2`,
    ),
  },
]
