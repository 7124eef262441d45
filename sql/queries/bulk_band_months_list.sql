-- Monthly means of tariff bands of every zone, in order; a single statement, so that all rows show the same state of the aggregates.
-- $1 sources that may be passed on   $2 first day   $3 last day (inclusive)   $4 zones, null for all
select
  zone, month, days, days_of_month, last_day, f0_eur_mwh, f1_eur_mwh, f2_eur_mwh, f3_eur_mwh, f23_eur_mwh, peak_eur_mwh, off_peak_eur_mwh,
  f0_hours, f1_hours, f2_hours, f3_hours, f23_hours, peak_hours, off_peak_hours, source_first, source_last
from zone_bands_monthly
where ($4::text[] is null or zone = any ($4::text[]))
  and month between date_trunc('month', $2::date::timestamp)::date and $3::date
  and source_first = any ($1::text[]) and source_last = any ($1::text[])
order by zone collate "C", month
