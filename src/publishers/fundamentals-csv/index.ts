/** Fundamentals in a plain CSV layout, which anyone may write: a row per interval, a column per series. README.md. */
import { type FundamentalSeries, ITALY, NEIGHBOURS } from '../../market/fundamentals.ts'
import { textDocument } from '../documents.ts'
import type { Items } from '../observations.ts'
import { zoneOfColumn } from '../price-csv/columns.ts'
import { readIntervalColumns } from '../price-csv/header.ts'
import { readIntervals } from '../price-csv/intervals.ts'
import { publisher } from '../publisher.ts'
import { asFundamental, type FundamentalName, fundamentalName } from '../reading/zone-days.ts'

export const fundamentalsCsv = textDocument({
  kind: 'fundamentals-csv',
  about:
    'a row per interval: `flow_date`, `ora` or `periodo`, optional `start_utc`, a column per fundamental ([columns](fundamentals-csv/README.md))',
  recognise: ({ firstLine = '' }) =>
    readIntervalColumns(firstLine, fundamentalOfColumn, (name) => zoneOfColumn(name) !== undefined),
  async *parse(text, layout): Items {
    for await (const item of readIntervals(text, layout)) yield asFundamental(item)
  },
})

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
  ...Object.entries(ITALIAN_COLUMNS).map(
    ([column, series]) => [column, fundamentalName({ series, area: ITALY })] as const,
  ),
  ...NEIGHBOURS.flatMap((area) => {
    const column = area.toLowerCase().replace('-', '_')
    const name = fundamentalName({ series: 'day-ahead-price', area })
    return [[column, name] as const, [`${column}_eur_mwh`, name] as const]
  }),
])

/** `load_mw` is `load/IT`, `ch` is `day-ahead-price/CH`; undefined for anything else. */
function fundamentalOfColumn(column: string): FundamentalName | undefined {
  return NAMES.get(column)
}

/** Simulated forecasts of wind and solar output, imported for trials: separate series, never treated as published forecasts. */
export const simulatedForecasts = publisher({
  id: 'simulated-forecasts',
  name: 'Simulated wind and solar forecasts (not published by anyone)',
  url: '/docs/fundamentals',
  terms: 'Made from actual output by a simulation, to try out forecasts; never to be taken for published ones.',
  redistributable: false,
  priority: 500,
  delivers: 'simulated forecasts of wind and solar output, only imported',
  publishes: { days: -1, time: '18:00' },
  lateAt: { days: -1, time: '21:00' },
})
