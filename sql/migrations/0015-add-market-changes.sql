-- Changes of intraday and imbalance prices are a dataset of their own, and alerts can be set on them.

alter table changes drop constraint changes_dataset_check;
alter table changes add constraint changes_dataset_check check (
  dataset in (
    'pun', 'zones', 'psv', 'ttf', 'brent', 'co2', 'forecasts', 'forecasts-hourly', 'fundamentals', 'markets', 'offers', 'exports', 'sources',
    'keys'
  )
);

alter table webhooks drop constraint webhooks_asset_check;
alter table webhooks add constraint webhooks_asset_check check (
  asset in ('pun', 'psv', 'ttf', 'imbalance-macro-nord', 'imbalance-macro-sud')
  or asset ~ '^(pun-zona|mi-a1|mi-a2)-(nord|cnor|csud|sud|cala|sici|sard)$'
);
