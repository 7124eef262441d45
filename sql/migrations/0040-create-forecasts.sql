-- The ledger of forecasts: what was issued, when, and a chain of hashes that shows a later change. How a hash is made, so that anybody
-- can recompute it, stands at issue_forecasts (sql/objects/forecast_issue.sql) and on the page /docs/methodology.

create table forecasts (
  chain text not null check (chain in ('issued', 'sample')),
  sequence bigint not null check (sequence > 0),
  asset text not null,
  role text not null check (role in ('published', 'benchmark')),
  model text not null check (model ~ '^[a-z0-9][a-z0-9._-]*$'),
  version text not null check (version ~ '^[A-Za-z0-9][A-Za-z0-9._+-]*$'),
  issued_at timestamptz not null,
  info_date date not null,
  target_date date not null,
  horizon_days smallint not null,
  p10 double precision not null check (p10 > '-infinity'),
  p50 double precision not null,
  p90 double precision not null check (p90 < 'infinity'),
  inputs_sha256 text not null check (inputs_sha256 ~ '^[0-9a-f]{64}$'),
  previous_hash text not null check (previous_hash ~ '^[0-9a-f]{64}$'),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  primary key (chain, sequence, issued_at),
  constraint forecasts_before_their_day check (issued_at < target_date::timestamp at time zone 'Europe/Rome'),
  constraint forecasts_horizon check (horizon_days = target_date - info_date and horizon_days > 0),
  constraint forecasts_quantiles_in_order check (p10 <= p50 and p50 <= p90)
);
comment on table forecasts is
  'Every forecast that was issued, append-only. Written only by issue_forecasts, which makes the chain; update, delete and truncate are refused, but sample data may go as a whole.';
comment on column forecasts.chain is
  'issued: from publishers'' prices; sample: from synthetic ones. Each is a chain of its own, and neither is ever shown as the other.';
comment on column forecasts.sequence is 'Position in the chain, from 1, without gaps.';
comment on column forecasts.role is 'published: what the service answers with; benchmark: the naive forecast it is compared with.';
comment on column forecasts.version is 'Version of the model''s method and of its trained state.';
comment on column forecasts.info_date is 'Last market day whose price was known; never later than what had been published at issued_at.';
comment on column forecasts.horizon_days is 'target_date - info_date, in calendar days.';
comment on column forecasts.p50 is 'Median forecast in the asset''s native unit, 4 decimals; p10 and p90 bound the band of 80 %.';
comment on column forecasts.inputs_sha256 is 'SHA-256 of the prices that the model was given.';
comment on column forecasts.previous_hash is 'hash of the row before it in the chain; 64 zeros in the first row.';

select create_hypertable('forecasts', by_range('issued_at', interval '1 year'), create_default_indexes => false);

create index forecasts_by_issue on forecasts (chain, asset, role, info_date desc, horizon_days);
create index forecasts_by_target on forecasts (chain, asset, role, target_date, horizon_days);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op) using errcode = 'insufficient_privilege';
end $$;
comment on function refuse_change() is 'Trigger of append-only tables.';

create trigger forecasts_append_only before update on forecasts for each row execute function refuse_change();
create trigger forecasts_undeletable before delete on forecasts
  for each row when (old.chain = 'issued') execute function refuse_change();
create trigger forecasts_keep before truncate on forecasts for each statement execute function refuse_change();
