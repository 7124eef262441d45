-- One number that grows with every change of what answers depend on; cached answers made under an older number are stale.

create table data_version (
  singleton boolean primary key default true check (singleton),
  version bigint not null
);
comment on table data_version is 'Raised by every ingest that changed something and by every refresh of the aggregates.';
insert into data_version (version) values (1);
