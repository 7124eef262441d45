-- Prices of a zone as they were known at an instant: read by then and not yet replaced, at the resolution current then. Built from the
-- intervals and their revisions, since the aggregates hold only current values.
create or replace function zone_intervals_as_of(p_zone text, p_from date, p_to date, p_as_of timestamptz)
returns table (
  market_day date, ordinal smallint, resolution_minutes smallint, starts_at timestamptz, price_eur_mwh double precision,
  observed_at timestamptz, source text
)
language sql stable parallel safe as $$
  select i.market_day, i.ordinal, i.resolution_minutes, i.starts_at, i.price_eur_mwh, i.observed_at, i.source
  from price_intervals i
  where i.zone = p_zone and i.fetched_at <= p_as_of
    and i.starts_at >= market_day_start(p_from) and i.starts_at < market_day_start(p_to + 1)
  union all
  select r.market_day, r.ordinal, r.resolution_minutes, r.starts_at, r.price_eur_mwh, r.observed_at, r.source
  from price_interval_revisions r
  where r.zone = p_zone and r.fetched_at <= p_as_of and r.superseded_at > p_as_of
    and r.starts_at >= market_day_start(p_from) and r.starts_at < market_day_start(p_to + 1)
$$;
comment on function zone_intervals_as_of(text, date, date, timestamptz) is
  'price_intervals of a zone from the first to the last day, inclusive, as they were at the instant; in no particular order.';

-- Daily means of a zone as they were known at an instant; whole days only.
create or replace function zone_days_as_of(p_zone text, p_from date, p_to date, p_as_of timestamptz)
returns table (market_day date, price_eur_mwh double precision, observed_at timestamptz, source_first text, source_last text)
language sql stable parallel safe as $$
  select market_day, sum(price_eur_mwh * resolution_minutes) / sum(resolution_minutes), max(observed_at), min(source), max(source)
  from zone_intervals_as_of(p_zone, p_from, p_to, p_as_of)
  group by market_day
  having sum(resolution_minutes) = market_day_minutes(market_day)
$$;
comment on function zone_days_as_of(text, date, date, timestamptz) is
  'Whole days of zone_prices_daily as they were at the instant; in no particular order.';

-- Hours of a zone as they were known at an instant; whole hours only.
create or replace function zone_hours_as_of(p_zone text, p_from date, p_to date, p_as_of timestamptz)
returns table (
  market_day date, hour integer, starts_at timestamptz, price_eur_mwh double precision, source_first text, source_last text
)
language sql stable parallel safe as $$
  select market_day, (ordinal - 1) * resolution_minutes / 60 + 1, min(starts_at), sum(price_eur_mwh * resolution_minutes) / 60,
         min(source), max(source)
  from zone_intervals_as_of(p_zone, p_from, p_to, p_as_of)
  group by market_day, (ordinal - 1) * resolution_minutes / 60 + 1
  having sum(resolution_minutes) = 60
$$;
comment on function zone_hours_as_of(text, date, date, timestamptz) is
  'Whole hours of zone_prices_hourly as they were at the instant; in no particular order.';
