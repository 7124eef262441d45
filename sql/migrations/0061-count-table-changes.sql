-- A number for each table that the bulk exports read in several statements: whoever reads the same number before and after has read
-- one state of the table.

create table table_versions (
  table_name text primary key,
  version bigint not null
);
comment on table table_versions is 'Raised by a trigger with every statement that writes the table, in the same transaction.';
insert into table_versions (table_name, version) values ('price_intervals', 1), ('forecasts', 1), ('forecast_actuals', 1);

create function raise_table_version() returns trigger language plpgsql as $$
begin
  update table_versions set version = version + 1 where table_name = tg_table_name;
  return null;
end $$;
comment on function raise_table_version() is 'Trigger of tables whose changes are counted.';

create trigger price_intervals_version after insert or update or delete on price_intervals
  for each statement execute function raise_table_version();
create trigger forecasts_version after insert or delete on forecasts for each statement execute function raise_table_version();
create trigger forecast_actuals_version after insert or delete on forecast_actuals for each statement execute function raise_table_version();
