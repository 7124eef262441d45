-- Stores the values of one series from one document and keeps those they replace. Idempotent for the same document.
create or replace function store_published_values(
  p_source text,
  p_series text,
  p_names text[],
  p_valid_on date[],
  p_values double precision[],
  p_units text[],
  p_descriptions text[],
  p_document_id bigint,
  p_fetched_at timestamptz,
  out stored integer,
  out unchanged integer,
  out corrected integer
)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('store_published_values'));

  insert into published_value_revisions
    (source, series, name, valid_on, value, document_id, fetched_at, superseded_at, superseded_by)
  select v.source, v.series, v.name, v.valid_on, v.value, v.document_id, v.fetched_at, p_fetched_at, p_document_id
  from unnest(p_names, p_valid_on, p_values) as i (name, valid_on, value)
  join published_values v on v.source = p_source and v.series = p_series and v.name = i.name and v.valid_on = i.valid_on
  where v.value <> i.value;
  get diagnostics corrected = row_count;

  with written as (
    insert into published_values as v (source, series, name, valid_on, value, unit, description, document_id, fetched_at)
    select p_source, p_series, i.name, i.valid_on, i.value, i.unit, i.description, p_document_id, p_fetched_at
    from unnest(p_names, p_valid_on, p_values, p_units, p_descriptions) as i (name, valid_on, value, unit, description)
    on conflict (source, series, name, valid_on) do update
      set value = excluded.value, document_id = excluded.document_id, fetched_at = excluded.fetched_at
      where v.value <> excluded.value
    returning 1
  )
  select count(*) - corrected into stored from written;
  unchanged := cardinality(p_names) - stored - corrected;
end $$;
comment on function store_published_values(text, text, text[], date[], double precision[], text[], text[], bigint, timestamptz) is
  'The only writer of published_values.';
