-- A step of inputs between those with a forecast of the weather and those without: wind and solar output as usual for the season and as metered last.

alter table hourly_forecasts
  drop constraint hourly_forecasts_inputs_check,
  add constraint hourly_forecasts_inputs_check
    check (inputs in ('everything', 'without-neighbours', 'usual-weather', 'without-weather', 'prices-only'));
alter table replayed_hourly_forecasts
  drop constraint replayed_hourly_forecasts_inputs_check,
  add constraint replayed_hourly_forecasts_inputs_check
    check (inputs in ('everything', 'without-neighbours', 'usual-weather', 'without-weather', 'prices-only'));
