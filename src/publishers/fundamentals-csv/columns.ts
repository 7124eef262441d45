/** Which column of a table is which fundamental. */
import type { FundamentalSeries } from '../../market/fundamentals.ts'
import { ITALY, NEIGHBOURS } from '../../market/fundamentals.ts'
import { type FundamentalName, nameOf } from '../reading/fundamental-days.ts'

const ITALIAN_COLUMNS: Record<string, FundamentalSeries> = {
  load_forecast_mw: 'load-forecast',
  load_mw: 'load',
  wind_forecast_mw: 'wind-forecast',
  wind_offshore_forecast_mw: 'wind-offshore-forecast',
  solar_forecast_mw: 'solar-forecast',
  wind_forecast_sim_mw: 'wind-forecast-simulated',
  solar_forecast_sim_mw: 'solar-forecast-simulated',
  wind_onshore_mw: 'generation-wind-onshore',
  wind_offshore_mw: 'generation-wind-offshore',
  solar_mw: 'generation-solar',
  hydro_ror_mw: 'generation-hydro-run-of-river',
  hydro_reservoir_mw: 'generation-hydro-reservoir',
  hydro_pumped_gen_mw: 'generation-hydro-pumped',
  hydro_pumped_cons_mw: 'consumption-hydro-pumped',
  fossil_gas_mw: 'generation-gas',
  fossil_coal_mw: 'generation-coal',
  fossil_coal_gas_mw: 'generation-coal-gas',
  fossil_oil_mw: 'generation-oil',
  geothermal_mw: 'generation-geothermal',
  biomass_mw: 'generation-biomass',
  waste_mw: 'generation-waste',
  other_mw: 'generation-other',
}

const NAMES: ReadonlyMap<string, FundamentalName> = new Map([
  ...Object.entries(ITALIAN_COLUMNS).map(([column, series]) => [column, nameOf({ series, area: ITALY })] as const),
  ...NEIGHBOURS.flatMap((area) => {
    const column = area.toLowerCase().replace('-', '_')
    const name = nameOf({ series: 'day-ahead-price', area })
    return [[column, name] as const, [`${column}_eur_mwh`, name] as const]
  }),
])

/** `load_mw` is `load/IT`, `ch` is `day-ahead-price/CH`; undefined for anything else. */
export function fundamentalOfColumn(column: string): FundamentalName | undefined {
  return NAMES.get(column)
}
