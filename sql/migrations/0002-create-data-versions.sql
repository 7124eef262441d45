-- Numbers that grow with every change: a reader that keeps a number can tell whether what it made under it is still current.

create table data_version (
  singleton boolean primary key default true check (singleton),
  version bigint not null
);
comment on table data_version is 'Raised by every ingest that changed something and by every refresh of the aggregates.';
insert into data_version (version) values (1);

-- The bulk exports read a table in several statements: if its number is the same before and after, they have read one state of it.
create table table_versions (
  table_name text primary key,
  version bigint not null
);
comment on table table_versions is 'Raised by a trigger with every statement that writes the table, in the same transaction.';
insert into table_versions (table_name, version) values
  ('price_intervals', 1), ('forecasts', 1), ('forecast_actuals', 1), ('hourly_forecasts', 1), ('hourly_forecast_actuals', 1), ('fundamentals', 1);

create function raise_table_version() returns trigger language plpgsql as $$
begin
  update table_versions set version = version + 1 where table_name = tg_table_name;
  return null;
end $$;
comment on function raise_table_version() is 'Trigger of tables whose changes are counted.';
