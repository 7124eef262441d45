-- Counts requests in their clients' rate-limit windows (rate_limits), in the order of the clients, so that concurrent processes cannot
-- deadlock. A request beyond its limit is not counted. Instants are in milliseconds since 1970.

create or replace function count_requests(p_clients text[], p_limits integer[], p_now_ms bigint, p_ends_at_ms bigint)
returns table (request bigint, used integer, "endsAtMs" bigint, admitted boolean)
language plpgsql volatile as $$
#variable_conflict use_column
declare
  asked record;
begin
  for asked in
    select a.client, a.requests_max, a.n
    from unnest(p_clients, p_limits) with ordinality as a (client, requests_max, n)
    order by a.client, a.n
  loop
    return query
      insert into rate_limits as r (client, used, ends_at_ms, admitted) values (asked.client, 1, p_ends_at_ms, true)
      on conflict (client) do update set
        used = case
          when r.ends_at_ms <= p_now_ms then 1
          when r.used < asked.requests_max then r.used + 1
          else r.used
        end,
        ends_at_ms = case when r.ends_at_ms <= p_now_ms then excluded.ends_at_ms else r.ends_at_ms end,
        admitted = r.ends_at_ms <= p_now_ms or r.used < asked.requests_max
      returning asked.n, r.used, r.ends_at_ms, r.admitted;
  end loop;
end
$$;
comment on function count_requests(text[], integer[], bigint, bigint) is
  'Counts each request within its limit in its client''s window, or in a new one that ends at p_ends_at_ms.';
