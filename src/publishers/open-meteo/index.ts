/** Weather runs for wind and solar output: wind at 100 m, radiation and temperature at places that stand for the installed capacity. */
import { textDocument } from '../documents.ts'
import { publisher } from '../publisher.ts'
import { credential } from '../settings.ts'
import { connectOpenMeteo } from './fetch.ts'
import { parseOpenMeteo } from './parse.ts'

export const openMeteo = publisher({
  id: 'open-meteo',
  name: 'Open-Meteo',
  url: 'https://open-meteo.com',
  terms:
    'Free for non-commercial use within 10,000 requests a day, CC BY 4.0; commercial use needs a subscription and its key.',
  redistributable: true,
  priority: 10,
  delivers: 'forecast wind, radiation and temperature at 16 places, and their means by zone',
  fundamentals: [
    { series: 'wind-speed', area: 'IT' },
    { series: 'solar-radiation', area: 'IT' },
    { series: 'temperature', area: 'IT' },
  ],
  // Two days ahead, so that every morning's run is read in time for the forecasts of that day and of the next.
  publishes: { days: -2, time: '10:40' },
  lateAt: { days: -2, time: '14:00' },
  fetching: {
    readFrom: 'the forecast API; of the past the Previous Runs API',
    pausesMinutes: [10, 20, 60],
    historyFrom: '2024-02-01',
    politeness: { minIntervalMs: 2_000, requestsPerDay: 500 }, // a request counts once for each place and fortnight
    variables: { OPEN_METEO_API_KEY: credential("key of Open-Meteo's customer API, for commercial use") },
    connect: connectOpenMeteo,
  },
  documents: [
    textDocument({
      kind: 'open-meteo-json',
      about: 'JSON of its forecast and Previous Runs APIs for the places, hourly',
      recognise: ({ json = '' }) => /"hourly_units"\s*:/.test(json),
      parse: parseOpenMeteo,
    }),
  ],
})
