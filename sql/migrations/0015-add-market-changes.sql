-- Changes of intraday and imbalance prices are a dataset of their own.

alter table changes drop constraint changes_dataset_check;
alter table changes add constraint changes_dataset_check check (
  dataset in (
    'pun', 'zones', 'psv', 'ttf', 'brent', 'co2', 'forecasts', 'forecasts-hourly', 'fundamentals', 'markets', 'offers', 'exports', 'sources',
    'keys'
  )
);
