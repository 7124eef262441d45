-- Days of offers with missing indices, or with indices computed from offers or reference averages that have since changed, and
-- days with indices whose offers are gone; latest first.   index: (day, commodity)
with publications as (
  select p.day, p.commodity, p.version from offer_publications() as p
), span as (
  select min(day) as first_day, max(day) as last_day from publications
)
select coalesce(p.day, i.day) as day, coalesce(p.commodity, i.commodity) as commodity
from publications p
join (select r.* from span cross join lateral offer_references(span.first_day, span.last_day) as r) as r
  on r.day = p.day and r.commodity = p.commodity
full join offer_index_inputs i on i.day = p.day and i.commodity = p.commodity
where p.day is null
   or (i.offers_version, i.month_average_eur_kwh, i.trailing_average_eur_kwh)
      is distinct from (p.version, r.month_average_eur_kwh, r.trailing_average_eur_kwh)
order by 1 desc, 2
