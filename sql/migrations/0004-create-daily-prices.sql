-- Prices that are published once a day: PSV, TTF, Brent, CO2, and the PUN of days whose hours are not at hand.

create table daily_prices (
  asset text not null,
  market_day date not null,
  price double precision not null check (price > '-infinity' and price < 'infinity'),
  source text not null,
  observed_at timestamptz not null,
  fetched_at timestamptz not null,
  document_id bigint not null,
  primary key (asset, market_day)
);
comment on table daily_prices is 'One price per asset and day (gas day, trading day, auction day). Written only by store_daily_prices.';
comment on column daily_prices.price is 'In the asset''s native unit (assets.unit_native).';

select create_hypertable('daily_prices', by_range('market_day', interval '10 years'), create_default_indexes => false);

create table daily_price_revisions (
  asset text not null,
  market_day date not null,
  price double precision not null,
  source text not null,
  observed_at timestamptz not null,
  fetched_at timestamptz not null,
  document_id bigint not null,
  superseded_at timestamptz not null,
  superseded_by bigint not null references documents on delete restrict,
  primary key (asset, market_day, superseded_at)
);
comment on table daily_price_revisions is 'Values of daily_prices that a later document replaced, as they were.';
