-- What the offers portal publishes beside offers: regulated parameters by day, and the monthly averages of the indices offers follow.

create table published_values (
  source text not null references sources on delete restrict,
  series text not null check (series in ('parameters-free-power', 'parameters-free-gas', 'parameters-placet-power', 'parameters-placet-gas', 'index-months')),
  name text not null,
  valid_on date not null,
  value double precision not null check (value > '-infinity' and value < 'infinity'),
  unit text,
  description text,
  document_id bigint not null references documents on delete restrict,
  fetched_at timestamptz not null,
  primary key (source, series, name, valid_on)
);
comment on table published_values is 'Figures that the offers portal publishes beside offers. Written only by store_published_values.';
comment on column published_values.valid_on is 'Day of the publication; of index-months the first day of the month.';
comment on column published_values.name is 'As published: lambda, pcv; of index-months the index: PUN, PSV.';
comment on column published_values.unit is 'Null where the publication leaves it to the description.';

create table published_value_revisions (
  source text not null,
  series text not null,
  name text not null,
  valid_on date not null,
  value double precision not null,
  document_id bigint not null,
  fetched_at timestamptz not null,
  superseded_at timestamptz not null,
  superseded_by bigint not null references documents on delete restrict,
  primary key (source, series, name, valid_on, superseded_at)
);
comment on table published_value_revisions is 'Values of published_values that a later document replaced, as they were.';
