-- Monthly means of tariff bands, peak and off-peak of a zone, and the hours in each, over complete days.
-- $1 zone   $2 first month   $3 last month (inclusive), first days   index: zone_prices_day_parts (zone, starts_at)
select
  to_char(month, 'YYYY-MM') as month, days, days_of_month, last_day,
  f0_eur_mwh as f0, f1_eur_mwh as f1, f2_eur_mwh as f2, f3_eur_mwh as f3, f23_eur_mwh as f23, peak_eur_mwh as peak, off_peak_eur_mwh as off_peak,
  f0_hours, f1_hours, f2_hours, f3_hours, f23_hours, peak_hours, off_peak_hours,
  array[source_first, source_last] as sources
from zone_bands_monthly
where zone = $1::text and month between $2::date and $3::date
order by month
