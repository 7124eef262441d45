-- Every version of the whole days of a zone, from a given day, with its intervals by ordinal; `until` is when the version was replaced.
create or replace function zone_day_versions(p_zone text, p_from date)
returns table (
  market_day date, until timestamptz, price double precision, intervals double precision[], fetched_at timestamptz, synthetic boolean
)
language sql stable parallel safe as $$
  with ends as (
    select r.market_day, r.superseded_at as until
    from price_interval_revisions r
    where r.zone = p_zone and r.starts_at >= market_day_start(p_from)
    group by r.market_day, r.superseded_at
  ), interval_versions as (
    select i.market_day, 'infinity'::timestamptz as until, i.ordinal, i.resolution_minutes, i.price_eur_mwh, i.fetched_at, i.source
    from price_intervals i
    where i.zone = p_zone and i.starts_at >= market_day_start(p_from)
    union all
    select e.market_day, e.until, i.ordinal, i.resolution_minutes, i.price_eur_mwh, i.fetched_at, i.source
    from ends e
    join price_intervals i on i.zone = p_zone and i.market_day = e.market_day and i.fetched_at < e.until
    where i.starts_at >= market_day_start(p_from)
    union all
    select e.market_day, e.until, r.ordinal, r.resolution_minutes, r.price_eur_mwh, r.fetched_at, r.source
    from ends e
    join price_interval_revisions r
      on r.zone = p_zone and r.market_day = e.market_day and r.fetched_at < e.until and r.superseded_at >= e.until
    where r.starts_at >= market_day_start(p_from)
  )
  select v.market_day, v.until, sum(v.price_eur_mwh * v.resolution_minutes) / sum(v.resolution_minutes),
         array_agg(v.price_eur_mwh order by v.ordinal), max(v.fetched_at), bool_or(v.source in (select id from sources where synthetic))
  from interval_versions v
  group by v.market_day, v.until
  having sum(v.resolution_minutes) = market_day_minutes(v.market_day)
$$;
comment on function zone_day_versions(text, date) is 'Every version of the whole days of a zone, each with its intervals.';
