-- First step of every writer of prices and fundamentals. Deletes sample data with a publisher's first value, allows one writer at a
-- time, and requires a stored document for every value. Returns the priority number of the source.
create or replace function begin_storing(p_writers text, p_source text, p_document_ids bigint[], p_at timestamptz) returns integer
language plpgsql as $$
declare
  v_priority integer;
begin
  perform admit_source(p_source, p_at);
  -- What a writer decides from what is stored must still hold when it writes.
  perform pg_advisory_xact_lock(hashtext(p_writers));
  select priority into strict v_priority from sources where id = p_source;
  if exists (select from unnest(p_document_ids) d where d is null or d not in (select id from documents where id = any (p_document_ids))) then
    raise exception 'unknown document among %', (select array_agg(distinct d) from unnest(p_document_ids) d)
      using errcode = 'foreign_key_violation';
  end if;
  return v_priority;
end $$;
comment on function begin_storing(text, text, bigint[], timestamptz) is
  'Admits the source, locks out the other writers until the end of the transaction, and checks the documents.';
