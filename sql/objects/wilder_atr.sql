-- Average True Range with Wilder's smoothing (New Concepts in Technical Trading Systems, 1978). The true range of a day is the greatest of
-- high - low, |high - previous close| and |low - previous close|. The first average is the mean of the first true ranges; each further
-- one is (previous * (periods - 1) + true range) / periods. The first day only provides a previous close.

-- The state is {previous close, true ranges so far, their average, periods}. Strict, so that a day with a missing value is skipped.
-- The mean of the first true ranges and the later smoothing use the same formula with different divisors.
create or replace function wilder_atr_step(
  p_state double precision[],
  p_high double precision, p_low double precision, p_close double precision, p_periods integer
) returns double precision[]
language plpgsql immutable strict parallel safe as $$
begin
  if cardinality(p_state) = 0 then
    return array[p_close, 0, 0, p_periods];
  end if;
  return array[
    p_close,
    p_state[2] + 1,
    p_state[3] + (
      greatest(p_high, p_state[1]) - least(p_low, p_state[1]) -- the true range
      - p_state[3]
    ) / least(p_state[2] + 1, p_periods),
    p_periods
  ];
end $$;
comment on function wilder_atr_step(double precision[], double precision, double precision, double precision, integer) is
  'One day of wilder_atr.';

create or replace function wilder_atr_final(p_state double precision[]) returns double precision
language sql immutable strict parallel safe
return case when p_state[2] >= p_state[4] then p_state[3] end;
comment on function wilder_atr_final(double precision[]) is
  'The final average of wilder_atr, null if there were fewer true ranges than periods.';

create or replace aggregate wilder_atr(
  p_high double precision, p_low double precision, p_close double precision, p_periods integer
) (sfunc = wilder_atr_step, stype = double precision[], initcond = '{}', finalfunc = wilder_atr_final);
comment on aggregate wilder_atr(double precision, double precision, double precision, integer) is
  'Average True Range with Wilder''s smoothing over days in the order of the aggregate''s own order by.';
