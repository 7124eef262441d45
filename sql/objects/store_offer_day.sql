-- Whether two rows of offers have the same contents, ignoring their documents. Helper of store_offer_day.
create or replace function same_offer(a offers, b offers) returns boolean
language sql immutable parallel safe as $$
  select (a.commodity, a.price_type, a.customer, a.reference, a.valid_from, a.valid_to, a.bands, a.prices_eur_kwh,
          a.stated_prices, a.stated_unit, a.fixed_fee_eur_year, a.notes)
    is not distinct from
         (b.commodity, b.price_type, b.customer, b.reference, b.valid_from, b.valid_to, b.bands, b.prices_eur_kwh,
          b.stated_prices, b.stated_unit, b.fixed_fee_eur_year, b.notes)
$$;

-- Stores one day's publication of one list of offers, given as rows of the temporary table incoming_offers, created `like offers`; each
-- offer at most once. Days may arrive in any order and repeatedly: the stored versions are the fewest that describe the days as last
-- read. If a later document for a stored day replaces contents, the old ones are kept in offer_revisions. Returns numbers of offers,
-- compared with the version in force on that day.
create or replace function store_offer_day(
  p_source text,
  p_dataset text,
  p_day date,
  p_commodity text,
  p_document_id bigint,
  p_fetched_at timestamptz,
  p_reasons text[],
  p_excluded integer[],
  p_examples text[],
  p_groups jsonb, -- [{reason, priceType, customer, offers}]
  out added integer,
  out changed integer,
  out withdrawn integer,
  out unchanged integer
)
language plpgsql as $$
declare
  v_next date; -- the publication after this day
  v_offers integer;
  v_excluded integer := coalesce((select sum(n) from unnest(p_excluded) n), 0);
  v_corrects boolean;
begin
  perform admit_source(p_source, p_fetched_at);
  -- One writer at a time: what is decided below must still hold when it is written.
  perform pg_advisory_xact_lock(hashtext('store_offers'));
  select min(d.day) into v_next from offer_days d where d.source = p_source and d.dataset = p_dataset and d.day > p_day;
  v_corrects := exists (select from offer_days d where d.source = p_source and d.dataset = p_dataset and d.day = p_day);

  create temporary table current_offers on commit drop as
  select o.*, i.code is not null as named, coalesce(same_offer(o, row(i.*)::offers), false) as same
  from offers o
  left join incoming_offers i on i.supplier = o.supplier and i.code = o.code
  where o.source = p_source and o.dataset = p_dataset and o.first_day <= p_day and (o.until_day is null or o.until_day > p_day);

  create temporary table fresh on commit drop as
  select i.supplier, i.code, o.supplier is not null as known
  from incoming_offers i
  left join current_offers o on o.supplier = i.supplier and o.code = i.code
  where o.supplier is null or not o.same;

  select count(*) into v_offers from incoming_offers;
  select count(*) filter (where same), count(*) filter (where not named) into unchanged, withdrawn from current_offers;
  select count(*) filter (where not known), count(*) filter (where known) into added, changed from fresh;

  if v_corrects then
    insert into offer_revisions (source, dataset, supplier, code, day, offer, superseded_at, superseded_by)
    select s.source, s.dataset, s.supplier, s.code, p_day, to_jsonb(o), p_fetched_at, p_document_id
    from current_offers s
    join offers o using (source, dataset, supplier, code, first_day)
    where not s.same
    on conflict do nothing;
  end if;

  -- A version that does not apply on this day ends before it, and continues after it if the next publication has it.
  insert into offers
    (source, dataset, supplier, code, first_day, until_day, commodity, price_type, customer, reference, valid_from, valid_to, bands,
     prices_eur_kwh, stated_prices, stated_unit, fixed_fee_eur_year, notes, document_id, fetched_at)
  select o.source, o.dataset, o.supplier, o.code, v_next, o.until_day, o.commodity, o.price_type, o.customer, o.reference, o.valid_from,
         o.valid_to, o.bands, o.prices_eur_kwh, o.stated_prices, o.stated_unit, o.fixed_fee_eur_year, o.notes, o.document_id, o.fetched_at
  from current_offers s
  join offers o using (source, dataset, supplier, code, first_day)
  where not s.same and v_next is not null and (o.until_day is null or o.until_day > v_next);

  update offers o set until_day = p_day
  from current_offers s
  where not s.same and s.first_day < p_day
    and o.source = s.source and o.dataset = s.dataset and o.supplier = s.supplier and o.code = s.code and o.first_day = s.first_day;

  delete from offers o using current_offers s
  where not s.same and s.first_day = p_day
    and o.source = s.source and o.dataset = s.dataset and o.supplier = s.supplier and o.code = s.code and o.first_day = p_day;

  -- What is new on this day joins the version that ended here and the one that begins with the next publication, if they say the same.
  create temporary table joined on commit drop as
  select i.supplier, i.code, b.first_day as before_day, a.first_day as after_day,
         case when a.first_day is null then v_next else a.until_day end as until_day,
         coalesce(b.document_id, p_document_id) as document_id, coalesce(b.fetched_at, p_fetched_at) as fetched_at
  from fresh f
  join incoming_offers i on i.supplier = f.supplier and i.code = f.code
  left join offers b on b.source = p_source and b.dataset = p_dataset and b.supplier = i.supplier and b.code = i.code
    and b.until_day = p_day and same_offer(b, row(i.*)::offers)
  left join offers a on a.source = p_source and a.dataset = p_dataset and a.supplier = i.supplier and a.code = i.code
    and a.first_day = v_next and same_offer(a, row(i.*)::offers);

  delete from offers o using joined j
  where o.source = p_source and o.dataset = p_dataset and o.supplier = j.supplier and o.code = j.code
    and o.first_day in (j.before_day, j.after_day);

  insert into offers (
    source, dataset, supplier, code, first_day, until_day, commodity, price_type, customer, reference, valid_from, valid_to,
    bands, prices_eur_kwh, stated_prices, stated_unit, fixed_fee_eur_year, notes, document_id, fetched_at
  )
  select p_source, p_dataset, i.supplier, i.code, coalesce(j.before_day, p_day), j.until_day, i.commodity, i.price_type, i.customer,
         i.reference, i.valid_from, i.valid_to, i.bands, i.prices_eur_kwh, i.stated_prices, i.stated_unit, i.fixed_fee_eur_year,
         i.notes, j.document_id, j.fetched_at
  from joined j join incoming_offers i on i.supplier = j.supplier and i.code = j.code;

  if not v_corrects or added + changed + withdrawn > 0 or exists (
    select from offer_days d
    where d.source = p_source and d.dataset = p_dataset and d.day = p_day and d.excluded <> v_excluded
  ) or exists (
    select g.reason, g."priceType", g.customer, g.offers
    from jsonb_to_recordset(p_groups) as g (reason text, "priceType" text, customer text, offers integer)
    except
    select e.reason, e.price_type, e.customer, e.offers
    from offer_exclusion_groups e where e.source = p_source and e.dataset = p_dataset and e.day = p_day
  ) then
    update data_version set version = version + 1;
    insert into offer_days as d (source, dataset, day, commodity, offers, excluded, document_id, fetched_at, version)
    select p_source, p_dataset, p_day, p_commodity, v_offers, v_excluded, p_document_id, p_fetched_at, v.version from data_version v
    on conflict (source, dataset, day) do update
      set offers = excluded.offers, excluded = excluded.excluded, document_id = excluded.document_id,
          fetched_at = excluded.fetched_at, version = excluded.version;
    delete from offer_exclusions e where e.source = p_source and e.dataset = p_dataset and e.day = p_day;
    insert into offer_exclusions (source, dataset, day, reason, offers, examples)
    select p_source, p_dataset, p_day, r.reason, r.offers, string_to_array(r.examples, E'\n')
    from unnest(p_reasons, p_excluded, p_examples) as r (reason, offers, examples);
    insert into offer_exclusion_groups (source, dataset, day, reason, price_type, customer, offers)
    select p_source, p_dataset, p_day, g.reason, g."priceType", g.customer, g.offers
    from jsonb_to_recordset(p_groups) as g (reason text, "priceType" text, customer text, offers integer);
    perform record_changes(
      jsonb_build_array(jsonb_build_object(
        'kind', 'offers.updated', 'dataset', 'offers', 'market_day', p_day,
        'details', jsonb_build_object(
          'list', p_dataset, 'commodity', p_commodity, 'added', added, 'changed', changed, 'withdrawn', withdrawn
        )
      )),
      (select synthetic from sources where id = p_source), p_fetched_at
    );
  end if;

  drop table current_offers, fresh, joined;
end $$;
comment on function store_offer_day(text, text, date, text, bigint, timestamptz, text[], integer[], text[], jsonb) is
  'The only writer of offers: stores one day''s list as versions, changes only.';
