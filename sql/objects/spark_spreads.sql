-- The margin of a gas-fired plant on the spot market: the power price minus the fuel cost.

create or replace function spark_spread(p_power double precision, p_gas double precision, p_efficiency double precision)
returns double precision
language sql immutable parallel safe
return p_power - p_gas / p_efficiency;
comment on function spark_spread(double precision, double precision, double precision) is
  'Power price less the gas for one MWh of it, €/MWh; the efficiency is MWh of power per MWh of gas.';

create or replace function clean_spark_spread(
  p_power double precision, p_gas double precision, p_co2 double precision,
  p_efficiency double precision, p_emission_factor double precision
) returns double precision
language sql immutable parallel safe
return p_power - p_gas / p_efficiency - p_co2 * p_emission_factor / p_efficiency;
comment on function clean_spark_spread(double precision, double precision, double precision, double precision, double precision) is
  'The spark spread less the allowances for what is burnt, €/MWh; the emission factor is tonnes of CO2 per MWh of gas.';

create or replace function psv_ttf_spread(p_psv double precision, p_ttf double precision) returns double precision
language sql immutable parallel safe
return p_psv - p_ttf;
comment on function psv_ttf_spread(double precision, double precision) is
  'How much more gas costs in Italy than in the Netherlands, €/MWh.';
