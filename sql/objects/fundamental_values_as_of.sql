-- Values of a series and area as they were known at an instant: known by then and not yet replaced, at the resolution current then.
-- Unlike prices, history that was loaded later counts as known from its publication.
create or replace function fundamental_values_as_of(p_series text, p_area text, p_from date, p_to date, p_as_of timestamptz)
returns table (
  market_day date, starts_at timestamptz, resolution_minutes smallint, value double precision, known_at timestamptz, source text
)
language sql stable parallel safe as $$
  select f.market_day, f.starts_at, f.resolution_minutes, f.value, f.known_at, f.source
  from fundamentals f
  where f.series = p_series and f.area = p_area and f.known_at <= p_as_of
    and f.starts_at >= market_day_start(p_from) and f.starts_at < market_day_start(p_to + 1)
  union all
  select r.market_day, r.starts_at, r.resolution_minutes, r.value, r.known_at, r.source
  from fundamental_revisions r
  where r.series = p_series and r.area = p_area and r.known_at <= p_as_of and r.superseded_at > p_as_of
    and r.starts_at >= market_day_start(p_from) and r.starts_at < market_day_start(p_to + 1)
$$;
comment on function fundamental_values_as_of(text, text, date, date, timestamptz) is
  'fundamentals of a series and area from the first to the last day, inclusive, as they were known at the instant; in no particular order.';
