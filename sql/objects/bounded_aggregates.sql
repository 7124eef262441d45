-- string_agg and array_agg that stop at 100,000 bytes; the built-in ones collect up to a gigabyte per group. They come first in the search
-- path of queries over HTTP (src/store/analyst-sql.ts); src/market/analyst-step-sizes.ts relies on the bound. Every built-in signature of
-- the two is defined here; a query would otherwise resolve to the built-in one.

create or replace function analytics_bounded.text_with(collected text, value text, delimiter text) returns text
language plpgsql immutable parallel safe as $$
begin
  if value is null then return collected; end if;
  if collected is null then return value; end if;
  if octet_length(collected) + octet_length(value) + coalesce(octet_length(delimiter), 0) > 100000 then
    raise exception 'string_agg() collects more than 100,000 bytes' using errcode = 'program_limit_exceeded';
  end if;
  return concat(collected, delimiter, value);
end
$$;

create or replace function analytics_bounded.bytes_with(collected bytea, value bytea, delimiter bytea) returns bytea
language plpgsql immutable parallel safe as $$
begin
  raise exception 'string_agg() of bytes cannot be used here' using errcode = 'feature_not_supported';
end
$$;

create or replace function analytics_bounded.list_with(collected anyarray, value anynonarray) returns anyarray
language plpgsql immutable parallel safe as $$
begin
  if pg_column_size(collected) + coalesce(pg_column_size(value), 0) > 100000 then
    raise exception 'array_agg() collects more than 100,000 bytes' using errcode = 'program_limit_exceeded';
  end if;
  return array_append(collected, value);
end
$$;

create or replace function analytics_bounded.list_of_lists_with(collected anyarray, value anyarray) returns anyarray
language plpgsql immutable parallel safe as $$
begin
  raise exception 'array_agg() of lists cannot be used here' using errcode = 'feature_not_supported';
end
$$;

create or replace aggregate analytics_bounded.string_agg(text, text) (sfunc = analytics_bounded.text_with, stype = text);
create or replace aggregate analytics_bounded.string_agg(bytea, bytea) (sfunc = analytics_bounded.bytes_with, stype = bytea);
create or replace aggregate analytics_bounded.array_agg(anynonarray) (sfunc = analytics_bounded.list_with, stype = anyarray);
create or replace aggregate analytics_bounded.array_agg(anyarray) (sfunc = analytics_bounded.list_of_lists_with, stype = anyarray);

comment on aggregate analytics_bounded.string_agg(text, text) is 'As the server''s, up to 100,000 bytes.';
comment on aggregate analytics_bounded.array_agg(anynonarray) is 'As the server''s, up to 100,000 bytes.';
