-- Stores a quarantined day, including its gaps, after an operator has accepted it; the decision is recorded in the same transaction.
-- A day with gaps never replaces a complete one.
create or replace function accept_quarantined_day(
  p_id bigint,
  p_at timestamptz,
  out stored integer,
  out unchanged integer,
  out corrected integer,
  out outranked integer
)
language plpgsql as $$
declare
  q quarantined_days;
  v_subject text;
begin
  select * into q from quarantined_days where id = p_id for update;
  if not found then raise exception 'there is no quarantined day %', p_id using errcode = 'no_data_found'; end if;
  if q.status <> 'open' then raise exception 'day % is % already', p_id, q.status using errcode = 'object_not_in_prerequisite_state'; end if;
  if q.prices is null or cardinality(array_positions(q.prices, null)) = cardinality(q.prices) then
    raise exception 'day % has no prices that could be stored', p_id using errcode = 'object_not_in_prerequisite_state';
  end if;
  v_subject := split_part(q.series, ':', 2);

  if q.series like 'zone:%' then
    if array_position(q.prices, null) is not null and exists (
      select from price_intervals p
      where p.zone = v_subject and p.starts_at >= market_day_start(q.market_day) and p.starts_at < market_day_start(q.market_day + 1)
      having sum(p.resolution_minutes) = market_day_minutes(q.market_day)
    ) then
      raise exception 'day % has gaps and a complete day is stored', p_id using errcode = 'object_not_in_prerequisite_state';
    end if;
    select s.stored, s.unchanged, s.corrected, s.outranked into stored, unchanged, corrected, outranked
    from store_zone_days(
      array[v_subject], array[q.market_day], array[q.resolution_minutes], array[cardinality(q.prices)], array[q.quarantined_at],
      array[q.document_id], q.prices, q.source, p_at
    ) s;
  elsif q.series like 'fundamental:%' then
    raise exception 'day % is of a fundamental, which can only be corrected by another document', p_id
      using errcode = 'object_not_in_prerequisite_state';
  else
    select s.stored, s.unchanged, s.corrected, s.outranked into stored, unchanged, corrected, outranked
    from store_daily_prices(
      array[v_subject], array[q.market_day], q.prices, array[q.quarantined_at], array[q.document_id], q.source, p_at
    ) s;
  end if;
  update quarantined_days set status = 'accepted', resolved_at = p_at where id = p_id;
end $$;
