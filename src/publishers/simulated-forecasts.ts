/** Simulated forecasts of wind and solar output, imported for trials: series of their own, never taken for a publisher's. */
import { publisher } from './publisher.ts'

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
