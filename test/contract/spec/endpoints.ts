/** The specification's table of endpoints, row by row, with Arrow as we added it. `/bulk/{dataset}` states no cache time: its addresses are signed for each response. */
export interface SpecEndpoint {
  method: string
  path: string
  plan: string
  cacheSeconds: number
  formats: string[]
}

export const SPEC_ENDPOINTS: SpecEndpoint[] = [
  { method: 'GET', path: '/today', plan: 'Open', cacheSeconds: 900, formats: ['json'] },
  { method: 'GET', path: '/pun/today', plan: 'Open', cacheSeconds: 900, formats: ['json'] },
  { method: 'GET', path: '/psv/today', plan: 'Open', cacheSeconds: 900, formats: ['json'] },
  { method: 'GET', path: '/ttf/today', plan: 'Open', cacheSeconds: 900, formats: ['json'] },
  { method: 'GET', path: '/brent/today', plan: 'Open', cacheSeconds: 900, formats: ['json'] },
  { method: 'GET', path: '/co2/today', plan: 'Open', cacheSeconds: 900, formats: ['json'] },
  {
    method: 'GET',
    path: '/prices/{asset}/series',
    plan: 'Open',
    cacheSeconds: 3600,
    formats: ['json', 'csv', 'arrow'],
  },
  { method: 'GET', path: '/pun/zones', plan: 'Developer', cacheSeconds: 3600, formats: ['json', 'csv'] },
  { method: 'GET', path: '/pun/hourly', plan: 'API', cacheSeconds: 3600, formats: ['json', 'csv', 'arrow'] },
  { method: 'GET', path: '/svc-index', plan: 'Open', cacheSeconds: 21600, formats: ['json'] },
  { method: 'GET', path: '/mercato-libero/stats', plan: 'API', cacheSeconds: 21600, formats: ['json', 'csv'] },
  { method: 'GET', path: '/forecast/{asset}/next', plan: 'Developer', cacheSeconds: 3600, formats: ['json'] },
  { method: 'GET', path: '/forecast/{asset}', plan: 'API', cacheSeconds: 3600, formats: ['json', 'csv'] },
  { method: 'GET', path: '/forecast/{asset}/scenarios', plan: 'Pro', cacheSeconds: 21600, formats: ['json', 'csv'] },
  { method: 'GET', path: '/tools/bill-estimate', plan: 'Open', cacheSeconds: 21600, formats: ['json'] },
  { method: 'POST', path: '/tools/margin-simulator', plan: 'Pro', cacheSeconds: 0, formats: ['json'] },
  { method: 'GET', path: '/trading/vitals', plan: 'Trading', cacheSeconds: 900, formats: ['json', 'csv'] },
  { method: 'GET', path: '/trading/correlation', plan: 'Trading', cacheSeconds: 3600, formats: ['json'] },
  { method: 'POST', path: '/trading/backtest', plan: 'Trading', cacheSeconds: 0, formats: ['json'] },
  { method: 'POST', path: '/alerts', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'GET', path: '/bulk/{dataset}', plan: 'Enterprise', cacheSeconds: 0, formats: ['json'] },
]

/** Not in that table: the index at the base address, the description of the interface, and our additions. */
export const ADDED_ENDPOINTS: SpecEndpoint[] = [
  { method: 'GET', path: '/', plan: 'Open', cacheSeconds: 3600, formats: ['json'] },
  { method: 'GET', path: '/openapi.json', plan: 'Open', cacheSeconds: 3600, formats: ['json'] },
  { method: 'GET', path: '/pun/bands', plan: 'Developer', cacheSeconds: 3600, formats: ['json', 'csv', 'arrow'] },
  { method: 'GET', path: '/pun/now-and-next', plan: 'Open', cacheSeconds: 900, formats: ['json', 'csv'] },
  { method: 'GET', path: '/tools/cheapest-window', plan: 'Open', cacheSeconds: 900, formats: ['json'] },
  { method: 'GET', path: '/feeds/evcc', plan: 'Developer', cacheSeconds: 900, formats: ['json'] },
  { method: 'GET', path: '/feeds/emhass', plan: 'Developer', cacheSeconds: 900, formats: ['json'] },
  { method: 'GET', path: '/feeds/home-assistant', plan: 'Developer', cacheSeconds: 900, formats: ['json'] },
  { method: 'GET', path: '/feeds/calendar', plan: 'Developer', cacheSeconds: 900, formats: ['json', 'ics'] },
  { method: 'GET', path: '/fundamentals', plan: 'API', cacheSeconds: 3600, formats: ['json'] },
  { method: 'GET', path: '/fundamentals/{series}', plan: 'API', cacheSeconds: 900, formats: ['json', 'csv', 'arrow'] },
  { method: 'GET', path: '/forecast/track-record', plan: 'Open', cacheSeconds: 3600, formats: ['json', 'csv'] },
  {
    method: 'GET',
    path: '/forecast/{asset}/hourly',
    plan: 'API',
    cacheSeconds: 3600,
    formats: ['json', 'csv', 'arrow'],
  },
  { method: 'GET', path: '/status', plan: 'Open', cacheSeconds: 60, formats: ['json'] },
  { method: 'GET', path: '/changes', plan: 'Developer', cacheSeconds: 0, formats: ['json'] },
  { method: 'GET', path: '/stream', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'GET', path: '/alerts', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'GET', path: '/alerts/{id}', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'DELETE', path: '/alerts/{id}', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'POST', path: '/alerts/{id}/resume', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'POST', path: '/alerts/{id}/test', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'POST', path: '/alerts/{id}/verify', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'POST', path: '/alerts/{id}/rotate-secret', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'GET', path: '/alerts/{id}/deliveries', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  {
    method: 'POST',
    path: '/alerts/{id}/deliveries/{delivery_id}/replay',
    plan: 'API',
    cacheSeconds: 0,
    formats: ['json'],
  },
  { method: 'POST', path: '/webhooks', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'GET', path: '/webhooks', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'GET', path: '/webhooks/{id}', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'DELETE', path: '/webhooks/{id}', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'POST', path: '/webhooks/{id}/resume', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'POST', path: '/webhooks/{id}/test', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'POST', path: '/webhooks/{id}/verify', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'POST', path: '/webhooks/{id}/rotate-secret', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  { method: 'GET', path: '/webhooks/{id}/deliveries', plan: 'API', cacheSeconds: 0, formats: ['json'] },
  {
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{delivery_id}/replay',
    plan: 'API',
    cacheSeconds: 0,
    formats: ['json'],
  },
  { method: 'GET', path: '/plans', plan: 'Open', cacheSeconds: 21600, formats: ['json'] },
  { method: 'POST', path: '/sql', plan: 'Trading', cacheSeconds: 0, formats: ['json', 'csv', 'arrow'] },
  { method: 'POST', path: '/keys/rotate', plan: 'Developer', cacheSeconds: 0, formats: ['json'] },
  { method: 'GET', path: '/usage', plan: 'Developer', cacheSeconds: 0, formats: ['json'] },
]
